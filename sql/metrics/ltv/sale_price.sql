-- metric: ltv
-- query:  sale_price
-- reads:  mrr_movement
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- New customers with :start <= occurred_at < :end, by the instant of their first MRR (D96), by day, month or in total, as :step requires. A row is a
-- customer, with the MRR of all that began at that instant. It has the plan of the largest part. The window must reach back to the beginning.
with won as (
  select movement.*, min(movement.occurred_at) over (partition by movement.customer_key) as first_at
  from relation.mrr_movement as movement
  where movement.amount_cents > 0 or movement.is_unpriced = true
),
sold as (
  select won.*, row_number() over (partition by won.customer_key order by won.amount_cents desc, won.subscription_id, won.movement_source) as place,
    sum(won.amount_cents) over (partition by won.customer_key) as first_cents,
    sum(won.amount_base_cents) over (partition by won.customer_key) as first_base_cents,
    max(case when won.is_unpriced = true then 1 else 0 end) over (partition by won.customer_key) as unpriced,
    max(case when won.amount_cents <> 0 and won.amount_base_cents is null then 1 else 0 end) over (partition by won.customer_key) as unrated
  from won
  where won.occurred_at = won.first_at
),
measure as (
  select fact.currency as fact_currency, fact.first_cents as amount_cents, fact.first_base_cents as amount_base_cents, fact.fixed_on, fact.unpriced,
    fact.unrated, case when :step = 'day' then cast(fn.clock(fact.occurred_at) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.occurred_at))
      else cast(:start as date) end as bucket
    /*{dimensions}*/
  from sold as fact
  /*{joins}*/
  where fact.place = 1 and fact.occurred_at >= :start and fact.occurred_at < :end
  /*{filters}*/
)
select bucket, fact_currency, count(*) as customer_count, sum(amount_cents) as amount_sum, sum(amount_base_cents) as amount_base_sum,
  sum(unpriced) as unpriced_count, sum(unrated) as unrated_count, min(case when unrated = 1 then fixed_on end) as unrated_from,
  max(case when unrated = 1 then fixed_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, fact_currency /*{group_by}*/
