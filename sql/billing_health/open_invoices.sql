-- metric: billing_health
-- query:  open_invoices
-- reads:  invoice_state, customer, tenant
-- unsliced
-- Open invoices (D90). An invoice whose parent is still a draft has no balance, so its amount is its total.
select fact.invoice_id, fact.invoice_number, fact.invoice_date, fact.currency, fact.balance_cents,
  case when fact.balance_cents = 0 then fact.total_cents else fact.balance_cents end as amount_cents,
  case when fact.balance_cents = 0 then fact.total_base_cents else fact.balance_base_cents end as amount_base_cents,
  customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name
from relation.invoice_state as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
where fact.days_open is not null
/*{filters}*/
