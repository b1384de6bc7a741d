-- metric: mrr
-- query:  fx_effect
-- reads:  revalued_span, fx_rate
-- param:  base_currency text
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- Effects of exchange rates on levels from :start to :end, by day, month or in total, as :step requires (D65). The effect of a piece of a span
-- is its value at the rate with which it ends, less that with which it begins. Used by waterfall, breakdown and why, under definitions that
-- revalue open MRR.
with piece as (
  select span.*,
    case when span.subscription_mrr_cents = 0 then 0
      else fn.converted(span.subscription_mrr_cents, left_rate.rate) - fn.converted(span.subscription_mrr_cents, entered_rate.rate)
      end as subscription_effect,
    case when span.usage_mrr_cents = 0 then 0
      else fn.converted(span.usage_mrr_cents, left_rate.rate) - fn.converted(span.usage_mrr_cents, entered_rate.rate) end as usage_effect
  from relation.revalued_span as span
  left join relation.fx_rate as entered_rate on entered_rate.currency = span.currency and entered_rate.day = span.entered_on
  left join relation.fx_rate as left_rate on left_rate.currency = span.currency and left_rate.day = span.left_on
  where span.currency <> :base_currency and span.mrr_cents <> 0 and span.valid_from >= :start and span.valid_from < :end
),
measure as (
  select fact.currency as fact_currency, fact.subscription_effect, fact.usage_effect, fact.entered_on, fact.left_on,
    case when :step = 'day' then cast(fn.clock(fact.valid_from) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.valid_from))
      else cast(:start as date) end as bucket,
    case when fact.subscription_effect is null then 1 else 0 end as subscription_unrated,
    case when fact.usage_effect is null then 1 else 0 end as usage_unrated
    /*{dimensions}*/
  from piece as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select bucket, fact_currency, 0 as subscription_cents, 0 as usage_cents,
  sum(subscription_effect) as subscription_base_cents, sum(usage_effect) as usage_base_cents, 0 as unpriced_count,
  sum(subscription_unrated) as subscription_unrated_count, sum(usage_unrated) as usage_unrated_count,
  min(case when subscription_unrated = 1 then entered_on end) as subscription_unrated_from,
  max(case when subscription_unrated = 1 then left_on end) as subscription_unrated_through,
  min(case when usage_unrated = 1 then entered_on end) as usage_unrated_from,
  max(case when usage_unrated = 1 then left_on end) as usage_unrated_through
  /*{dimension_names}*/
from measure
group by bucket, fact_currency /*{group_by}*/
