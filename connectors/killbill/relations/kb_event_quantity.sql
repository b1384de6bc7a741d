-- relation: kb_event_quantity
-- param:    tenants integers
-- Quantities that events set. Other events have none, or 0.
select event.record_id as event_key, event.quantity
from subscription_events as event
where event.tenant_record_id in (:tenants) and event.quantity > 0
