-- metric: mrr
-- query:  breakdown
-- reads:  mrr_movement
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- Movements with :start <= occurred_at < :end by type (D31, D36), and by day, month or in total, as :step requires. Used by breakdown, by the
-- movement columns of waterfall, and by series with movement_type. Rows with amount 0 exist only for unknown prices.
with measure as (
  select fact.movement_type, fact.currency as fact_currency, fact.amount_cents, fact.amount_base_cents, fact.rate_base_cents, fact.fixed_on,
    case when :step = 'day' then cast(fn.clock(fact.occurred_at) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.occurred_at))
      else cast(:start as date) end as bucket,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.amount_cents <> 0 and fact.amount_base_cents is null then 1 else 0 end as unrated
    /*{dimensions}*/
  from relation.mrr_movement as fact
  /*{joins}*/
  where fact.occurred_at >= :start and fact.occurred_at < :end
  /*{filters}*/
)
select movement_type, bucket, fact_currency,
  sum(amount_cents) as amount_cents, sum(amount_base_cents) as amount_base_cents, sum(rate_base_cents) as rate_base_cents,
  sum(case when amount_cents <> 0 then 1 else 0 end) as event_count,
  sum(unpriced) as unpriced_count, sum(unrated) as unrated_count,
  min(case when unrated = 1 then fixed_on end) as unrated_from, max(case when unrated = 1 then fixed_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by movement_type, bucket, fact_currency /*{group_by}*/
