-- relation: subscription_life
-- reads:    kb_state, kb_planned_start, kb_account, kb_phase, kb_price_list, price_line, price
-- param:    tenants integers
-- param:    now timestamp
-- Begin and end of each subscription (D17, D18) with a plan: the current plan, the plan at the end, or the first plan of a
-- subscription that has not begun. The folded states are the source, so a subscription that ends before it begins has no row.
with folded as (
  select state.customer_key, state.subscription_key, state.ended_at, state.end_rank, state.phase_code, state.list_code, state.quantity,
    state.plan_set_at, state.state_at as as_of,
    min(state.state_at) over (partition by state.subscription_key) as started_at,
    row_number() over (partition by state.subscription_key order by state.state_at desc) as recency
  from relation.kb_state as state
),
life as (
  select folded.customer_key, subscription.id as subscription_id, folded.started_at, folded.ended_at, folded.end_rank,
    folded.phase_code, folded.list_code, folded.quantity, folded.plan_set_at, folded.as_of
  from folded
  join subscriptions as subscription on subscription.record_id = folded.subscription_key
  where folded.recency = 1
  union all
  select subscription.account_record_id, planned.subscription_id, planned.started_at, null, null, phase.phase_code,
    coalesce(list.list_code, 0), case when planned.quantity > 0 then planned.quantity else 1 end, planned.started_at, planned.started_at
  from relation.kb_planned_start as planned
  join subscriptions as subscription on subscription.id = planned.subscription_id
  left join relation.kb_phase as phase on phase.phase_name = planned.phase_name
  left join relation.kb_price_list as list on list.price_list_name = planned.price_list_name
),
scheduled as (
  select event.subscription_id, min(event.effective_date) as next_change_at
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.effective_date > :now
    and (event.event_type in ('PHASE', 'EXPIRED') or event.user_type in ('CHANGE', 'CANCEL'))
  group by event.subscription_id
)
select life.customer_key, life.subscription_id, life.started_at, life.ended_at,
  case life.end_rank when 1 then 'bundle_transfer' when 2 then 'cancel' when 3 then 'expiry' when 4 then 'base_end' end as end_reason,
  named.plan, price.plan_key,
  case mod(life.phase_code, 10) when 1 then 'trial' when 2 then 'discount' when 3 then 'fixedterm' when 4 then 'evergreen' end as phase_type,
  listed.price_list_name as price_list, life.quantity, scheduled.next_change_at
from life
join relation.kb_account as account on account.customer_key = life.customer_key
left join relation.kb_phase as named on named.phase_code = life.phase_code
left join relation.kb_price_list as listed on listed.list_code = life.list_code
left join relation.price_line as line on line.tenant_key = account.tenant_key and line.phase_name = named.phase_name
  and line.currency = coalesce(account.currency, '')
left join relation.price as price on price.line_key = line.line_key
  and life.plan_set_at >= coalesce(price.entered_from, timestamp '1000-01-01 00:00:00')
  and life.plan_set_at < coalesce(price.entered_to, timestamp '9999-12-31 00:00:00')
  and life.as_of >= coalesce(price.from_at, timestamp '1000-01-01 00:00:00')
  and life.as_of < coalesce(price.to_at, timestamp '9999-12-31 00:00:00')
left join scheduled on scheduled.subscription_id = life.subscription_id
