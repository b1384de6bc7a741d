-- relation: subscription_span
-- reads:    kb_piece, kb_phase, kb_price_list
-- param:    pause_step integer
-- param:    one_unit boolean
-- param:    counted_periods text
-- One row per subscription and longest interval without a change of its facts (D28). D21 and D22 define the status, D23 and D29
-- the components. With :pause_step 0, a pause changes nothing (D66). Either :one_unit or the agreed quantity counts (D67). Periods outside
-- :counted_periods count as 0 (D68).
-- Status (0 none, 1 pending, 2 trialing, 3 active, 4 paused) and reason are numbers until the end. A table with texts takes several
-- times the memory. The counted price is written twice, because a step for it would be one more nested select, of which MySQL allows 63.
with lagged as (
  select piece.customer_key, piece.subscription_key, piece.currency, piece.piece_from, piece.ended_at, piece.end_rank, piece.is_transferred,
    piece.phase_code, piece.list_code, piece.quantity, piece.plan_key, piece.is_blocked, piece.is_overdue, piece.full_usage_cents,
    case when :counted_periods <> '' and piece.billing_period is not null
        and replace(:counted_periods, concat(',', fn.text(piece.billing_period), ','), '') = :counted_periods then 0
      when :one_unit = true then piece.unit_cents else piece.full_cents end as full_cents,
    lag(case when :counted_periods <> '' and piece.billing_period is not null
        and replace(:counted_periods, concat(',', fn.text(piece.billing_period), ','), '') = :counted_periods then 0
      when :one_unit = true then piece.unit_cents else piece.full_cents end) over w as full_before,
    max(case when piece.is_trial_phase = 0 and piece.is_blocked = 0 then 1 else 0 end) over w as is_activated,
    max(case when piece.is_trial_phase = 0 and piece.is_blocked = 0 then 1 else 0 end)
      over (partition by piece.subscription_key order by piece.piece_from rows between unbounded preceding and 1 preceding) as was_activated,
    first_value(piece.is_trial_phase) over w as began_in_trial,
    lag(piece.is_blocked) over w as was_blocked,
    lag(piece.phase_code) over w as phase_before, lag(piece.list_code) over w as list_before,
    lag(piece.quantity) over w as quantity_before,
    lag(piece.full_usage_cents) over w as full_usage_before
  from relation.kb_piece as piece
  window w as (partition by piece.subscription_key order by piece.piece_from)
),
stated as (
  select lagged.*,
    case when is_activated = 1 then 3 + is_blocked * :pause_step when began_in_trial = 1 then 2 else 1 end as status,
    case when was_blocked is null then 0 when was_activated = 1 then 3 + was_blocked * :pause_step when began_in_trial = 1 then 2 else 1 end as status_before
  from lagged
),
valued as (
  select stated.*,
    case when status = 3 then coalesce(full_cents, 0) else 0 end as subscription_cents,
    case when status_before = 3 then coalesce(full_before, 0) else 0 end as subscription_cents_before,
    case when status = 3 then full_usage_cents else 0 end as usage_cents,
    case when status_before = 3 then full_usage_before else 0 end as usage_cents_before,
    case when status = 3 and full_cents is null then 1 else 0 end as unpriced,
    case when status_before = 3 and full_before is null then 1 else 0 end as unpriced_before
  from stated
),
span as (
  select customer_key, subscription_key, currency, piece_from, ended_at, end_rank, status, phase_code, list_code, quantity, plan_key,
    subscription_cents, usage_cents, unpriced,
    case when status_before = 0 then case when is_transferred = 1 then 1 else 2 end
      when status = 4 and status_before <> 4 then case when is_overdue = 1 then 3 else 4 end
      when status = 3 and status_before <> 3 and was_blocked = 1 then 5
      when list_code <> list_before or fn.int_div(phase_code, 10) <> fn.int_div(phase_before, 10) then 6
      when phase_code <> phase_before then 7
      when quantity <> quantity_before then 8
      when subscription_cents <> subscription_cents_before or unpriced <> unpriced_before then 9
      else 10 end as start_reason,
    lead(piece_from) over w as next_from,
    max(case when subscription_cents <> subscription_cents_before then piece_from end) over w as subscription_fixed_at,
    max(case when usage_cents <> usage_cents_before then piece_from end) over w as usage_fixed_at
  from valued
  where status <> 1
    and (status_before in (0, 1) or status <> status_before or phase_code <> phase_before
      or list_code <> list_before or quantity <> quantity_before or subscription_cents <> subscription_cents_before
      or usage_cents <> usage_cents_before or unpriced <> unpriced_before)
  window w as (partition by subscription_key order by piece_from)
)
select customer_key, subscription.id as subscription_id, piece_from as valid_from, coalesce(next_from, ended_at) as valid_to,
  case status when 2 then 'trialing' when 3 then 'active' when 4 then 'paused' end as status, phase.plan, plan_key,
  case mod(span.phase_code, 10) when 1 then 'trial' when 2 then 'discount' when 3 then 'fixedterm' when 4 then 'evergreen' end as phase_type,
  list.price_list_name as price_list, quantity, currency,
  subscription_cents as subscription_mrr_cents, usage_cents as usage_mrr_cents, subscription_cents + usage_cents as mrr_cents,
  status = 2 as is_trial, status in (3, 4) as is_live, status = 4 as is_paused, unpriced = 1 as is_unpriced,
  case start_reason when 1 then 'bundle_transfer' when 2 then 'start' when 3 then 'overdue' when 4 then 'pause' when 5 then 'resume'
    when 6 then 'plan' when 7 then 'phase' when 8 then 'quantity' when 9 then 'price' when 10 then 'usage' end as start_reason,
  case when next_from is null then case end_rank when 1 then 'bundle_transfer' when 2 then 'cancel' when 3 then 'expiry'
    when 4 then 'base_end' end end as end_reason,
  cast(subscription_fixed_at as date) as subscription_fixed_on, cast(usage_fixed_at as date) as usage_fixed_on
from span
join subscriptions as subscription on subscription.record_id = span.subscription_key
left join relation.kb_phase as phase on phase.phase_code = span.phase_code
left join relation.kb_price_list as list on list.list_code = span.list_code
