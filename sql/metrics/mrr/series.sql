-- metric: mrr
-- query:  series
-- reads:  mrr_span
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- Changes of the levels between :start and :end: each span counts + at its start and - at its end, so one pass serves any
-- number of periods; TypeScript cumulates. `bucket` is null for what lies before :start (together the opening, D4), else
-- the day, the month, or one for all, as :step says. Answers series, arr and components in a range, and the levels of
-- waterfall and breakdown. Right only for slices that are constant over a span; levels_at.sql serves the others.
with measure as (
  select fact.valid_from, fact.valid_to, fact.currency as fact_currency, fact.subscription_mrr_cents, fact.usage_mrr_cents,
    fact.subscription_mrr_base_cents, fact.usage_mrr_base_cents, fact.subscription_fixed_on, fact.usage_fixed_on,
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
edge as (
  select measure.*, side.sign, case when side.sign = 1 then measure.valid_from else measure.valid_to end as edge_at
  from measure
  cross join (select 1 as sign union all select -1) as side
  where side.sign = 1 or measure.valid_to < :end
),
bucketed as (
  select edge.*,
    case when edge_at < :start then null
      when :step = 'day' then cast(edge_at as date)
      when :step = 'month' then fn.month_start(edge_at)
      else cast(:start as date) end as bucket
  from edge
)
select bucket, fact_currency,
  sum(sign * subscription_mrr_cents) as subscription_cents, sum(sign * usage_mrr_cents) as usage_cents,
  sum(sign * subscription_mrr_base_cents) as subscription_base_cents, sum(sign * usage_mrr_base_cents) as usage_base_cents,
  sum(sign * unpriced) as unpriced_count,
  sum(sign * subscription_unrated) as subscription_unrated_count, sum(sign * usage_unrated) as usage_unrated_count,
  min(case when subscription_unrated = 1 then subscription_fixed_on end) as subscription_unrated_from,
  min(case when usage_unrated = 1 then usage_fixed_on end) as usage_unrated_from
  /*{dimension_names}*/
from bucketed
group by bucket, fact_currency /*{group_by}*/
