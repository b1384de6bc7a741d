-- metric: summary
-- query:  revenue
-- reads:  paid_amount, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  base_currency text
-- param:  rate_day date
-- unsliced
-- Revenue of the margins: amounts paid from :start to :end (D52 to D54), each at the rate of its payment day (D13) or of :rate_day.
with paid as (
  select amount.currency, amount.amount_cents, coalesce(:rate_day, cast(amount.paid_at as date)) as paid_on,
    case when amount.currency = :base_currency or amount.amount_cents = 0 then amount.amount_cents
      else fn.converted(amount.amount_cents, rate.rate) end as amount_base_cents
  from relation.paid_amount as amount
  left join relation.fx_rate as rate on rate.currency = amount.currency and rate.day = coalesce(:rate_day, cast(amount.paid_at as date))
  where amount.paid_at >= :start and amount.paid_at < :end
)
select currency as fact_currency, sum(amount_base_cents) as revenue_base_sum, 0 as unpriced_count,
  sum(case when amount_base_cents is null then 1 else 0 end) as unrated_count,
  min(case when amount_base_cents is null then paid_on end) as unrated_from
from paid
group by currency
