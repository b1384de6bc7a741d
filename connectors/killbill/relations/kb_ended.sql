-- relation: kb_ended
-- param:    tenants integers
-- param:    now timestamp
-- param:    window_start timestamp
-- Subscriptions that ended by themselves before the window. They have no level in it (D18).
select ended.subscription_id
from subscription_events as ended
where ended.tenant_record_id in (:tenants) and ended.is_active = true and ended.effective_date < :window_start
  and ended.effective_date <= :now and (ended.event_type = 'EXPIRED' or ended.user_type = 'CANCEL')
