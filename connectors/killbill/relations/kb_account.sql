-- relation: kb_account
-- param:    tenants integers
-- param:    include_test_accounts boolean
-- Accounts that count (D15, D16). An account that carries the control tag TEST now counts only if include_test_accounts is true.
select account.record_id as customer_key, account.tenant_record_id as tenant_key, account.currency
from accounts as account
where account.tenant_record_id in (:tenants)
  and (:include_test_accounts = true or account.id not in (
    select tag.object_id
    from tags as tag
    where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT'
      and tag.tag_definition_id = '00000000-0000-0000-0000-000000000006'
  ))
