-- relation: customer
-- reads:    stripe_customer, tenant
-- Customers of the chosen accounts, deleted ones included (S3). Stripe has no mark for test customers. The way in which payments are collected is that
-- of the newest subscription.
select buyer.customer_id as customer_key, tenant.source_id, buyer.customer_id, buyer.customer_name, null as external_key, buyer.email,
  buyer.currency, buyer.country as customer_country, buyer.created_at,
  case buyer.collection_method when 'charge_automatically' then 'automatic' when 'send_invoice' then 'manual' end as collection_method,
  null as company_name, buyer.city, buyer.state, buyer.postal_code, buyer.locale, null as time_zone
from relation.stripe_customer as buyer
join relation.tenant as tenant on tenant.source_id = buyer.account_id
