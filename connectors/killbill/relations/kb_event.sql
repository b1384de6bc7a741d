-- relation: kb_event
-- param:    tenants integers
-- param:    now timestamp
-- param:    until timestamp
-- Active events that have taken effect (D2) and, up to :until, those known now that will take effect (D80). `sort_key` orders the rows of a subscription by instant (KB 2.2). At one instant,
-- rows that begin a subscription (CREATE, TRANSFER) come first, and then `record_id` decides. The key has at most 28 digits,
-- because kb_fact appends ten and the decimals of DuckDB end at 38. Take the owner from the subscription, not from the
-- event. After a second transfer of a bundle, the engine writes events of the first owner's subscription under the second
-- owner's account.
select event.tenant_record_id as tenant_key, event.subscription_id, event.effective_date,
  case when event.user_type in ('CREATE', 'TRANSFER', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING') then event.user_type end as start_type,
  case
    when event.user_type in ('CREATE', 'TRANSFER', 'CHANGE', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING') then 'plan'
    when event.event_type = 'PHASE' then 'phase'
    when event.event_type = 'QUANTITY_UPDATE' then 'quantity'
    when event.user_type = 'CANCEL' then 'cancel'
    when event.event_type = 'EXPIRED' then 'expiry'
  end as kind,
  event.phase_name, event.price_list_name, event.quantity,
  cast(
    cast(fn.microseconds_between(timestamp '1970-01-01 00:00:00', event.effective_date) as decimal(18, 0)) * 1000000000000
    + case when event.user_type in ('CREATE', 'TRANSFER', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING') then 0 else 100000000000 end
    + event.record_id
  as decimal(30, 0)) as sort_key
from subscription_events as event
where event.tenant_record_id in (:tenants) and event.is_active = true
  and (event.effective_date <= :now or (event.effective_date <= :until and event.created_date <= :now))
  and (event.event_type in ('PHASE', 'QUANTITY_UPDATE', 'EXPIRED')
    or event.user_type in ('CREATE', 'TRANSFER', 'CHANGE', 'CANCEL', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING'))
