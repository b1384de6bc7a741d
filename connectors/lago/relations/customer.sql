-- relation: customer
-- reads:    tenant
-- Customers of the chosen organizations, deleted ones included. Partners do not count: the organization pays them. Lago has no mark for
-- test customers. Empty text counts as absent.
select buyer.id as customer_key, tenant.source_id, fn.text(buyer.id) as customer_id,
  coalesce(nullif(buyer.name, ''), nullif(buyer.legal_name, ''),
    nullif(trim(concat(coalesce(buyer.firstname, ''), ' ', coalesce(buyer.lastname, ''))), '')) as customer_name,
  buyer.external_id as external_key, nullif(buyer.email, '') as email, nullif(buyer.currency, '') as currency,
  nullif(buyer.country, '') as customer_country, fn.whole_second(buyer.created_at) as created_at,
  case when coalesce(buyer.payment_provider, '') = '' then 'manual' else 'automatic' end as collection_method,
  nullif(buyer.legal_name, '') as company_name, nullif(buyer.city, '') as city, nullif(buyer.state, '') as state,
  nullif(buyer.zipcode, '') as postal_code, nullif(buyer.document_locale, '') as locale,
  coalesce(nullif(buyer.timezone, ''), nullif(entity.timezone, ''), 'UTC') as time_zone
from customers as buyer
join relation.tenant as tenant on tenant.source_id = fn.text(buyer.organization_id)
left join billing_entities as entity on entity.id = buyer.billing_entity_id
where fn.text(buyer.account_type) <> 'partner'
