-- relation: kb_payer
-- param:    tenants integers
-- How accounts pay: whether they have a payment method, and whether a parent account pays for them.
select account.record_id as customer_key, case when account.payment_method_id is null then 1 else 0 end as is_without_method,
  case when account.parent_account_id is not null and account.is_payment_delegated_to_parent = true then 1 else 0 end as is_delegated
from accounts as account
where account.tenant_record_id in (:tenants)
