-- relation: priced_state
-- reads:    kb_piece, kb_phase, kb_price_list
-- The pieces of subscriptions with names in place of numbers, for spans by other definitions. D21 and D22 define the status.
with placed as (
  select piece.*,
    max(case when piece.is_trial_phase = 0 and piece.is_blocked = 0 then 1 else 0 end) over w as is_activated,
    first_value(piece.is_trial_phase) over w as began_in_trial
  from relation.kb_piece as piece
  window w as (partition by piece.subscription_key order by piece.piece_from)
)
select placed.customer_key, subscription.id as subscription_id, placed.piece_from as state_from,
  case when is_activated = 1 then case when is_blocked = 1 then 'paused' else 'active' end
    when began_in_trial = 1 then 'trialing' else 'pending' end as status,
  placed.is_transferred = 1 as is_transferred, placed.is_blocked = 1 as is_blocked, placed.is_overdue = 1 as is_overdue, phase.plan,
  placed.plan_key,
  case mod(placed.phase_code, 10) when 1 then 'trial' when 2 then 'discount' when 3 then 'fixedterm' when 4 then 'evergreen' end as phase_type,
  list.price_list_name as price_list, placed.quantity, placed.currency, placed.billing_period, placed.full_cents as monthly_cents,
  placed.unit_cents as unit_monthly_cents, placed.full_usage_cents as usage_cents, placed.ended_at,
  case placed.end_rank when 1 then 'bundle_transfer' when 2 then 'cancel' when 3 then 'expiry' when 4 then 'base_end' end as end_reason
from placed
join subscriptions as subscription on subscription.record_id = placed.subscription_key
left join relation.kb_phase as phase on phase.phase_code = placed.phase_code
left join relation.kb_price_list as list on list.list_code = placed.list_code
