-- relation: customer
-- reads:    kb_account
-- param:    tenants integers
-- Current state of the accounts that count (D15, D16).
select account.record_id as customer_key, tenant.id as source_id, account.id as customer_id, account.name as customer_name,
  account.external_key, account.email, account.currency, account.country as customer_country, account.created_date as created_at,
  case when manual.account_record_id is null then 'automatic' else 'manual' end as collection_method,
  account.company_name, account.city, account.state_or_province as state, account.postal_code, account.locale, account.time_zone
from relation.kb_account as counted
join accounts as account on account.record_id = counted.customer_key
join tenants as tenant on tenant.record_id = account.tenant_record_id
left join (
  select distinct tag.account_record_id
  from tags as tag
  where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT'
    and tag.tag_definition_id in ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000005')
) as manual on manual.account_record_id = account.record_id
