-- relation: kb_planned_quantity
-- param:    tenants integers
-- param:    now timestamp
-- Quantities that take effect after now. If an instant has several, its newest row counts.
select later.subscription_id, later.effective_date, later.quantity
from (
  select event.subscription_id, event.effective_date, event.quantity,
    row_number() over (partition by event.subscription_id, event.effective_date order by event.record_id desc) as recency
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.effective_date > :now
    and event.event_type = 'QUANTITY_UPDATE'
) as later
where later.recency = 1
