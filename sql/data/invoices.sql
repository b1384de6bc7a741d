-- metric: data
-- query:  invoices
-- reads:  billed_invoice, customer, fx_rate
-- param:  base_currency text
-- param:  today date
-- unsliced
-- A page of the invoices in the requested order, else newest first, with the total number. The base amount uses the rate of the
-- payment day. Without a payment it uses the rate of the invoice day, but not of a day after today: the invoice day of an account
-- ahead of UTC can be tomorrow.
with listed as (
  select fact.invoice_id, customer.source_id, fact.invoice_number, customer.customer_id, customer.customer_name, fact.status,
    fact.currency, fact.invoice_date, fact.created_at, fact.paid_at, fact.voided_at, fact.tax_cents, fact.total_cents, fact.usage_cents,
    fact.amount_paid_cents, fact.balance_cents,
    case when fact.paid_at is not null then cast(fact.paid_at as date) when fact.invoice_date > :today then :today
      else fact.invoice_date end as rated_on
  from relation.billed_invoice as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  where 1 = 1
  /*{filters}*/
),
paged as (
  select record.*, fn.total_of(listed) as total_count
  from listed as record
  order by /*{order_by}*/ record.invoice_date desc, record.invoice_id /*{page}*/
)
select record.*,
  case when record.currency = :base_currency or record.total_cents = 0 then record.total_cents
    else fn.converted(record.total_cents, rate.rate) end as total_base_cents
from paged as record
left join relation.fx_rate as rate on rate.currency = record.currency and rate.day = record.rated_on
order by /*{order_by}*/ record.invoice_date desc, record.invoice_id
