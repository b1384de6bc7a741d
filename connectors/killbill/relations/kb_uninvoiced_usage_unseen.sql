-- relation: kb_uninvoiced_usage_unseen
-- param:    tenants integers
-- Takes the place of kb_uninvoiced_usage where the role may not read the records of usage. No usage is known then.
select subscription.account_record_id as customer_key, subscription.id as subscription_id, cast(subscription.created_date as date) as first_on,
  subscription.record_id as days
from subscriptions as subscription
where 1 = 0 and subscription.tenant_record_id in (:tenants)
