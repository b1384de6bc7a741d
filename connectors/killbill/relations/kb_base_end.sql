-- relation: kb_base_end
-- reads:    kb_own_end
-- param:    tenants integers
-- Ends of add-ons because their base ended (D18, KB 2.6). If the base ended before the add-on started, the add-on has no life.
select addon.account_record_id as customer_key, addon.record_id as subscription_key, base_end.ended_at
from subscriptions as addon
join subscriptions as base on base.bundle_id = addon.bundle_id and base.category = 'BASE'
join relation.kb_own_end as base_end on base_end.subscription_id = base.id
where addon.tenant_record_id in (:tenants) and addon.category = 'ADD_ON'
