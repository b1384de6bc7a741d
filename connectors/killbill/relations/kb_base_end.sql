-- relation: kb_base_end
-- reads:    kb_addon, kb_own_end
-- needs:    kb_addon
-- Ends of add-ons because their base ended (D18, KB 2.6). If the base ended before the add-on started, the add-on has no life.
select addon.customer_key, addon.subscription_key, base_end.ended_at
from relation.kb_addon as addon
join subscriptions as base on base.bundle_id = addon.bundle_id and base.category = 'BASE'
join relation.kb_own_end as base_end on base_end.subscription_id = base.id
