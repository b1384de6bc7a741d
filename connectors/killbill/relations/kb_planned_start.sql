-- relation: kb_planned_start
-- reads:    kb_planned_quantity
-- param:    tenants integers
-- param:    now timestamp
-- Subscriptions that begin after now, with their first phase, price list and quantity (KB 2.5). A subscription that ends at or
-- before its start does not exist (D18).
with planned as (
  select event.subscription_id, event.effective_date, event.phase_name, event.price_list_name,
    row_number() over (partition by event.subscription_id order by event.effective_date, event.record_id) as start_number
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.effective_date > :now
    and event.user_type in ('CREATE', 'TRANSFER', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING')
)
select planned.subscription_id, planned.effective_date as started_at, planned.phase_name, planned.price_list_name,
  max(set_later.quantity) as quantity
from planned
join subscription_events as other on other.subscription_id = planned.subscription_id and other.is_active = true
left join relation.kb_planned_quantity as set_later on set_later.subscription_id = planned.subscription_id
  and set_later.effective_date = planned.effective_date
where planned.start_number = 1
group by planned.subscription_id, planned.effective_date, planned.phase_name, planned.price_list_name
having sum(case when other.effective_date < planned.effective_date
    and other.user_type in ('CREATE', 'TRANSFER', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING') then 1
    when other.effective_date <= planned.effective_date and (other.user_type = 'CANCEL' or other.event_type = 'EXPIRED') then 1
    else 0 end) = 0
