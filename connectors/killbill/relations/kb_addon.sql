-- relation: kb_addon
-- param:    tenants integers
-- Subscriptions that are add-ons. The bundle leads to their base (KB 2.6).
select subscription.tenant_record_id as tenant_key, subscription.account_record_id as customer_key,
  subscription.record_id as subscription_key, subscription.id as subscription_id, subscription.bundle_id
from subscriptions as subscription
where subscription.tenant_record_id in (:tenants) and subscription.category = 'ADD_ON'
