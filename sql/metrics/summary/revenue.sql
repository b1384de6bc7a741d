-- metric: summary
-- query:  revenue
-- reads:  invoice, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  base_currency text
-- unsliced
-- Revenue of the margins: invoices paid from :start to :end (D52 to D54), each at the rate of its payment day (D13).
with paid as (
  select invoice.currency, invoice.amount_cents, cast(invoice.paid_at as date) as paid_on,
    case when invoice.currency = :base_currency or invoice.amount_cents = 0 then invoice.amount_cents
      else fn.converted(invoice.amount_cents, rate.rate) end as amount_base_cents
  from relation.invoice as invoice
  left join relation.fx_rate as rate on rate.currency = invoice.currency and rate.day = cast(invoice.paid_at as date)
  where invoice.paid_at >= :start and invoice.paid_at < :end
)
select currency as fact_currency, sum(amount_base_cents) as revenue_base_sum, 0 as unpriced_count,
  sum(case when amount_base_cents is null then 1 else 0 end) as unrated_count,
  min(case when amount_base_cents is null then paid_on end) as unrated_from
from paid
group by currency
