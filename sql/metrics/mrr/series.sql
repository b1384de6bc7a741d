-- metric: mrr
-- query:  series
-- reads:  mrr_span
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- param:  opening date
-- Changes of the levels between :start and :end. Each span adds its MRR at its start and subtracts it at its end. So one pass
-- serves any number of periods, and TypeScript cumulates. By :step, a bucket is a day, a month or the whole range. The bucket
-- :opening is everything before :start (D4). Spans are first summed by start bucket and end bucket, so few rows remain to be
-- split into an addition and a subtraction. Used by series, arr and components in a range, and for the levels of waterfall and
-- breakdown. Dimensions and filters must be constant during a span; levels_at.sql serves the others.
with measure as (
  select fact.currency as fact_currency, fact.subscription_mrr_cents, fact.usage_mrr_cents,
    fact.subscription_mrr_base_cents, fact.usage_mrr_base_cents, fact.subscription_fixed_on, fact.usage_fixed_on,
    case when fact.valid_from < :start then :opening
      when :step = 'day' then cast(fn.clock(fact.valid_from) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.valid_from))
      else cast(:start as date) end as start_bucket,
    case when fact.valid_to is null or fact.valid_to >= :end then null
      when :step = 'day' then cast(fn.clock(fact.valid_to) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.valid_to))
      else cast(:start as date) end as end_bucket,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.subscription_mrr_cents <> 0 and fact.subscription_mrr_base_cents is null then 1 else 0 end as subscription_unrated,
    case when fact.usage_mrr_cents <> 0 and fact.usage_mrr_base_cents is null then 1 else 0 end as usage_unrated
    /*{dimensions}*/
  from relation.mrr_span as fact
  /*{joins}*/
  where fact.valid_from < :end and (fact.valid_to is null or fact.valid_to >= :start)
    and (fact.mrr_cents <> 0 or fact.is_unpriced = true)
  /*{filters}*/
),
added as (
  select start_bucket, end_bucket, fact_currency,
    sum(subscription_mrr_cents) as subscription_cents, sum(usage_mrr_cents) as usage_cents,
    sum(subscription_mrr_base_cents) as subscription_base_cents, sum(usage_mrr_base_cents) as usage_base_cents,
    sum(unpriced) as unpriced_count,
    sum(subscription_unrated) as subscription_unrated_count, sum(usage_unrated) as usage_unrated_count,
    min(case when subscription_unrated = 1 then subscription_fixed_on end) as subscription_unrated_from,
    max(case when subscription_unrated = 1 then subscription_fixed_on end) as subscription_unrated_through,
    min(case when usage_unrated = 1 then usage_fixed_on end) as usage_unrated_from,
    max(case when usage_unrated = 1 then usage_fixed_on end) as usage_unrated_through
    /*{dimension_names}*/
  from measure
  group by start_bucket, end_bucket, fact_currency /*{group_by}*/
),
turned as (
  select added.*, side.sign, case when side.sign = 1 then added.start_bucket else added.end_bucket end as bucket
  from added
  cross join (select 1 as sign union all select -1) as side
  where side.sign = 1 or added.end_bucket is not null
)
select bucket, fact_currency,
  sum(sign * subscription_cents) as subscription_cents, sum(sign * usage_cents) as usage_cents,
  sum(sign * subscription_base_cents) as subscription_base_cents, sum(sign * usage_base_cents) as usage_base_cents,
  sum(sign * unpriced_count) as unpriced_count,
  sum(sign * subscription_unrated_count) as subscription_unrated_count, sum(sign * usage_unrated_count) as usage_unrated_count,
  min(subscription_unrated_from) as subscription_unrated_from, max(subscription_unrated_through) as subscription_unrated_through,
  min(usage_unrated_from) as usage_unrated_from, max(usage_unrated_through) as usage_unrated_through
  /*{dimension_names}*/
from turned
group by bucket, fact_currency /*{group_by}*/
