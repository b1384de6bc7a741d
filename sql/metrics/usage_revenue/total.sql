-- metric: usage_revenue
-- query:  total
-- reads:  usage_charge, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- param:  base_currency text
-- param:  rate_day date
-- Paid usage charges dated :start to :end (D59), each at the rate of its payment day (D13), by day, month or in total, as :step requires. A
-- charge needs no price, so none is unpriced. Used by total, series and by_customer.
with charge as (
  select charge.charge_id, charge.customer_key, charge.subscription_id, charge.plan, charge.currency, charge.charge_date,
    charge.service_month, charge.amount_cents, charge.paid_at, coalesce(:rate_day, cast(charge.paid_at as date)) as paid_on,
    case when charge.currency = :base_currency or charge.amount_cents = 0 then charge.amount_cents
      else fn.converted(charge.amount_cents, rate.rate) end as amount_base_cents
  from relation.usage_charge as charge
  left join relation.fx_rate as rate on rate.currency = charge.currency and rate.day = coalesce(:rate_day, cast(charge.paid_at as date))
  where charge.charge_date >= :start and charge.charge_date < :end
),
measure as (
  select fact.currency as fact_currency, fact.amount_cents, fact.amount_base_cents, fact.paid_on,
    case when fact.amount_cents <> 0 and fact.amount_base_cents is null then 1 else 0 end as unrated,
    case when :step = 'day' then fact.charge_date
      when :step = 'month' then fn.month_start(fact.charge_date)
      else cast(:start as date) end as bucket
    /*{dimensions}*/
  from charge as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select bucket, fact_currency, sum(amount_cents) as revenue_sum, sum(amount_base_cents) as revenue_base_sum,
  0 as unpriced_count, sum(unrated) as unrated_count,
  min(case when unrated = 1 then paid_on end) as unrated_from, max(case when unrated = 1 then paid_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, fact_currency /*{group_by}*/
