-- metric: data
-- query:  invoices
-- reads:  invoice_state, customer, tenant
-- unsliced
-- A page of the invoices in the requested order, else newest first, with the total number.
with listed as (
  select fact.invoice_id, customer.source_id, tenant.tenant_name, fact.invoice_number, customer.customer_id, customer.customer_name,
    fact.status, fact.currency, fact.invoice_date, fact.created_at, fact.paid_at, fact.voided_at, fact.tax_cents, fact.total_cents,
    fact.usage_cents, fact.amount_paid_cents, fact.balance_cents, fact.days_open, fact.age, fact.total_base_cents,
    fact.balance_base_cents
  from relation.invoice_state as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  where 1 = 1
  /*{filters}*/
)
select record.*, fn.total_of(listed) as total_count
from listed as record
order by /*{order_by}*/ record.invoice_date desc, record.invoice_id /*{page}*/
