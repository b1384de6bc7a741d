-- metric: data
-- query:  ledger_open_invoices
-- reads:  open_balance, customer, tenant
-- unsliced
-- A page of the invoices that are open at the end of the day of `ledger_day` (R13 to R18), in the requested order, else oldest first, with the total
-- number.
with listed as (
  select fact.invoice_id, fact.invoice_number, customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name,
    fact.currency, fact.issued_on, fact.days_past_due, fact.balance_cents + fact.paid_cents as total_cents, fact.paid_cents, fact.balance_cents,
    fact.reopened_cents, fact.balance_base_cents
  from relation.open_balance as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  where fact.balance_cents <> 0
  /*{filters}*/
)
select record.*, fn.total_of(listed) as total_count
from listed as record
order by /*{order_by}*/ record.issued_on, case when record.invoice_id is null then 1 else 0 end, record.invoice_id, record.customer_id,
  record.currency /*{page}*/
