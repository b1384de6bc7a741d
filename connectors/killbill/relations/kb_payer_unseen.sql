-- relation: kb_payer_unseen
-- param:    tenants integers
-- Takes the place of kb_payer where the role may not read its columns. No parent is known then.
select account.record_id as customer_key, 0 as is_without_method, 0 as is_delegated
from accounts as account
where account.tenant_record_id in (:tenants)
