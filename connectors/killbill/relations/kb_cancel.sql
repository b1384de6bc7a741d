-- relation: kb_cancel
-- param:    tenants integers
-- The active CANCELs of each subscription, numbered in the order of their instants. The first one counts (D46).
select event.subscription_id, event.created_date as requested_at, event.effective_date as effective_at, event.record_id,
  row_number() over (partition by event.subscription_id order by event.effective_date, event.record_id) as cancel_number
from subscription_events as event
where event.tenant_record_id in (:tenants) and event.is_active = true and event.user_type = 'CANCEL'
