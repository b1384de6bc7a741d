-- metric: billing_health
-- query:  open_invoices
-- reads:  billed_invoice, customer, tenant, fx_rate
-- param:  rate_day date
-- param:  base_currency text
-- unsliced
-- Open invoices. An invoice whose parent is still a draft has no balance, so its amount is its total. Base amounts have the rate of :rate_day.
with listed as (
  select fact.invoice_id, fact.invoice_number, fact.invoice_date, fact.currency, fact.balance_cents,
    case when fact.balance_cents = 0 then fact.total_cents else fact.balance_cents end as amount_cents,
    customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name
  from relation.billed_invoice as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  where fact.status = 'open'
  /*{filters}*/
)
select listed.*,
  case when listed.currency = :base_currency or listed.amount_cents = 0 then listed.amount_cents
    else fn.converted(listed.amount_cents, rate.rate) end as amount_base_cents
from listed
left join relation.fx_rate as rate on rate.currency = listed.currency and rate.day = :rate_day
