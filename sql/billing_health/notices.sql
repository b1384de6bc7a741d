-- metric: billing_health
-- query:  notices
-- reads:  billing_notice, customer, tenant, fx_rate
-- param:  rate_day date
-- param:  base_currency text
-- unsliced
-- Facts of the billing engine that a person must look at (H6), with the amounts of those that have one. Base amounts have the rate of :rate_day.
select fact.kind, fact.subscription_id, fact.invoice_id, fact.since_at, fact.detail, customer.source_id, tenant.tenant_name, customer.customer_id,
  customer.customer_name, customer.currency as amount_currency, fact.amount_cents, fact.invoice_number,
  case when customer.currency = :base_currency then fact.amount_cents else fn.converted(fact.amount_cents, rate.rate) end as amount_base_cents
from relation.billing_notice as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
left join relation.fx_rate as rate on rate.currency = customer.currency and rate.day = :rate_day
where 1 = 1
/*{filters}*/
