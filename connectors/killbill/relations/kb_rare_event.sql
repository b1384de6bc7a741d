-- relation: kb_rare_event
-- param:    tenants integers
-- Events without which no quantity is lost and no event ends an invoice run: changes of the quantity, and transfers without a plan
-- (KB 14). Few subscriptions have any, so the mirror mostly leaves out the relations that need them.
select event.subscription_id
from subscription_events as event
where event.tenant_record_id in (:tenants) and event.is_active = true
  and (event.event_type = 'QUANTITY_UPDATE' or (event.user_type = 'TRANSFER' and event.plan_name is null))
