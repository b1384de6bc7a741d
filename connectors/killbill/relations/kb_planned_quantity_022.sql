-- relation: kb_planned_quantity_022
-- param:    tenants integers
-- param:    now timestamp
-- The variant of kb_planned_quantity for engine 0.22, which has no quantities. It has no rows.
select event.subscription_id, event.effective_date, 0 as quantity
from subscription_events as event
where event.tenant_record_id in (:tenants) and event.effective_date > :now and 1 = 0
