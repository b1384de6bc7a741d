-- relation: kb_billing_day
-- param:    tenants integers
-- param:    now timestamp
-- param:    until timestamp
-- The stretches of a subscription with its own billing day, and the one before the first of them, which has none (KB 2.1). If an instant has
-- several, its newest row counts.
with told as (
  select event.subscription_id, event.effective_date, event.billing_cycle_day_local,
    row_number() over (partition by event.subscription_id, event.effective_date order by event.record_id desc) as recency
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.event_type = 'BCD_UPDATE'
    and (event.effective_date <= :now or (event.effective_date <= :until and event.created_date <= :now))
)
select told.subscription_id, told.effective_date as from_at,
  coalesce(lead(told.effective_date) over (partition by told.subscription_id order by told.effective_date), timestamp '9999-12-31 00:00:00') as to_at,
  told.billing_cycle_day_local as billing_day
from told
where told.recency = 1
union all
select told.subscription_id, timestamp '1000-01-01 00:00:00', min(told.effective_date), null
from told
group by told.subscription_id
