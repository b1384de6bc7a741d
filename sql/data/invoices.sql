-- metric: data
-- query:  invoices
-- reads:  billed_invoice, customer, fx_rate, tenant
-- param:  base_currency text
-- param:  now timestamp
-- param:  today date
-- unsliced
-- A page of the invoices in the requested order, else newest first, with the total number. Base amounts use the rate of the
-- payment day. Without a payment they use the rate of the invoice day, but not of a day after today: the invoice day of an account
-- ahead of UTC can be tomorrow.
with dated as (
  select billed.*,
    case when billed.status = 'open'
      then fn.integer(fn.int_div(fn.microseconds_between(fn.add_period(billed.invoice_date, 0, 0), :now), 86400000000)) end as days_open,
    case when billed.paid_at is not null then cast(billed.paid_at as date) when billed.invoice_date > :today then :today
      else billed.invoice_date end as rated_on
  from relation.billed_invoice as billed
),
aged as (
  select dated.*,
    case when days_open <= 30 then '0-30' when days_open <= 60 then '31-60' when days_open <= 90 then '61-90'
      when days_open > 90 then 'over-90' end as age
  from dated
),
listed as (
  select fact.invoice_id, customer.source_id, tenant.tenant_name, fact.invoice_number, customer.customer_id, customer.customer_name,
    fact.status, fact.currency, fact.invoice_date, fact.created_at, fact.paid_at, fact.voided_at, fact.tax_cents, fact.total_cents,
    fact.usage_cents, fact.amount_paid_cents, fact.balance_cents, fact.days_open, fact.age,
    case when fact.currency = :base_currency or fact.total_cents = 0 then fact.total_cents
      else fn.converted(fact.total_cents, rate.rate) end as total_base_cents,
    case when fact.currency = :base_currency or fact.balance_cents = 0 then fact.balance_cents
      else fn.converted(fact.balance_cents, rate.rate) end as balance_base_cents
  from aged as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  left join relation.fx_rate as rate on rate.currency = fact.currency and rate.day = fact.rated_on
  where 1 = 1
  /*{filters}*/
)
select record.*, fn.total_of(listed) as total_count
from listed as record
order by /*{order_by}*/ record.invoice_date desc, record.invoice_id /*{page}*/
