-- relation: subscription_span
-- reads:    priced_state
-- param:    window_end timestamp
-- param:    counts_usage boolean
-- param:    pause_step integer
-- param:    one_unit boolean
-- param:    counted_periods text
-- Spans from priced states (D28). States that change nothing are dropped. With :pause_step 0, a pause changes nothing (D66). Either :one_unit or
-- the agreed quantity counts (D67). Periods outside :counted_periods count as 0 (D68).
with counted as (
  select state.*,
    case when state.status = 'paused' and :pause_step = 0 then 'active' else state.status end as counted_status,
    case when :counted_periods <> '' and state.billing_period is not null
        and replace(:counted_periods, concat(',', fn.text(state.billing_period), ','), '') = :counted_periods then 0
      when :one_unit = true then state.unit_monthly_cents else state.monthly_cents end as full_cents
  from relation.priced_state as state
),
stated as (
  select counted.*,
    case when counted_status = 'active' then coalesce(full_cents, 0) else 0 end as subscription_cents,
    case when counted_status = 'active' and :counts_usage = true then usage_cents else 0 end as counted_usage_cents,
    case when counted_status = 'active' and full_cents is null then 1 else 0 end as unpriced
  from counted
),
compared as (
  select stated.*, coalesce(lag(counted_status) over w, 'none') as status_before, coalesce(lag(is_blocked) over w, false) as was_blocked,
    lag(plan) over w as plan_before, lag(price_list) over w as list_before, lag(phase_type) over w as phase_before,
    lag(quantity) over w as quantity_before, coalesce(lag(subscription_cents) over w, 0) as subscription_before,
    coalesce(lag(counted_usage_cents) over w, 0) as usage_before, coalesce(lag(unpriced) over w, 0) as unpriced_before
  from stated
  window w as (partition by subscription_id order by state_from)
),
turn as (
  select compared.*, lead(state_from) over w as next_from,
    max(case when subscription_cents <> subscription_before then state_from end) over w as subscription_fixed_at,
    max(case when counted_usage_cents <> usage_before then state_from end) over w as usage_fixed_at,
    case when status_before = 'none' then case when is_transferred = true then 'bundle_transfer' else 'start' end
      when counted_status = 'paused' and status_before <> 'paused' then case when is_overdue = true then 'overdue' else 'pause' end
      when counted_status = 'active' and status_before <> 'active' and was_blocked = true then 'resume'
      when plan <> plan_before or not (fn.null_safe_equal(price_list, list_before)) then 'plan'
      when counted_status <> status_before or not (fn.null_safe_equal(phase_type, phase_before)) then 'phase'
      when quantity <> quantity_before then 'quantity'
      when subscription_cents <> subscription_before or unpriced <> unpriced_before then 'price'
      else 'usage' end as start_reason
  from compared
  where counted_status <> 'pending' and (counted_status <> status_before or plan <> plan_before or quantity <> quantity_before
    or not (fn.null_safe_equal(price_list, list_before)) or not (fn.null_safe_equal(phase_type, phase_before))
    or subscription_cents <> subscription_before or counted_usage_cents <> usage_before or unpriced <> unpriced_before)
  window w as (partition by subscription_id order by state_from)
)
select customer_key, subscription_id, state_from as valid_from, coalesce(next_from, ended_at) as valid_to, counted_status as status, plan,
  plan_key, phase_type, price_list, quantity, currency, subscription_cents as subscription_mrr_cents,
  counted_usage_cents as usage_mrr_cents, subscription_cents + counted_usage_cents as mrr_cents, counted_status = 'trialing' as is_trial,
  counted_status in ('active', 'paused') as is_live, counted_status = 'paused' as is_paused, unpriced = 1 as is_unpriced,
  start_reason, case when next_from is null then end_reason end as end_reason,
  cast(subscription_fixed_at as date) as subscription_fixed_on, cast(usage_fixed_at as date) as usage_fixed_on
from turn
where state_from <= :window_end
