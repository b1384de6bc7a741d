-- metric: billing_health
-- query:  notices
-- reads:  billing_notice, customer, tenant
-- unsliced
-- Facts of the billing engine that a person must look at (H6).
select fact.kind, fact.subscription_id, fact.invoice_id, fact.since_at, fact.detail, customer.source_id, tenant.tenant_name, customer.customer_id,
  customer.customer_name
from relation.billing_notice as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
where 1 = 1
/*{filters}*/
