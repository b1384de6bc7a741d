-- relation: kb_in_arrears_none
-- reads:    kb_account
-- param:    tenants integers
-- Takes the place of kb_in_arrears if no plan of any catalog is billed in arrears.
select account.customer_key, subscription.id as subscription_id, cast(subscription.created_date as date) as billed_to, 1 = 1 as is_billed,
  0 as period_months, 0 as period_days
from relation.kb_account as account
join subscriptions as subscription on subscription.account_record_id = account.customer_key
where 1 = 0 and subscription.tenant_record_id in (:tenants)
