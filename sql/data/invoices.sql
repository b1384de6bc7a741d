-- metric: data
-- query:  invoices
-- reads:  billed_invoice, customer, fx_rate
-- param:  base_currency text
-- param:  now timestamp
-- unsliced
-- A page of the invoices, newest first, and how many there are in all. The base amount takes the rate of the payment, else of the
-- invoice's day, which an account ahead of UTC may have tomorrow.
with listed as (
  select fact.invoice_id, customer.source_id, fact.invoice_number, customer.customer_id, customer.customer_name, fact.status,
    fact.currency, fact.invoice_date, fact.created_at, fact.paid_at, fact.voided_at, fact.tax_cents, fact.total_cents, fact.usage_cents,
    fact.amount_paid_cents, fact.balance_cents,
    case when fact.paid_at is not null then cast(fact.paid_at as date) when fact.invoice_date > cast(:now as date) then cast(:now as date)
      else fact.invoice_date end as rated_on
  from relation.billed_invoice as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  where 1 = 1
  /*{filters}*/
),
paged as (
  select listed.*, count(*) over () as total_count
  from listed
  order by invoice_date desc, invoice_id /*{page}*/
)
select paged.*,
  case when paged.currency = :base_currency or paged.total_cents = 0 then paged.total_cents
    else fn.converted(paged.total_cents, rate.rate) end as total_base_cents
from paged
left join relation.fx_rate as rate on rate.currency = paged.currency and rate.day = paged.rated_on
order by invoice_date desc, invoice_id
