-- relation: kb_event_quantity_022
-- param:    tenants integers
-- The variant of kb_event_quantity for engine 0.22, which has no quantities. It has no rows.
select event.record_id as event_key, 0 as quantity
from subscription_events as event
where event.tenant_record_id in (:tenants) and 1 = 0
