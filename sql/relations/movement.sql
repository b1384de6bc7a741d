-- relation: movement
-- reads:    subscription_span, bundle_line
-- param:    range_start timestamp
-- param:    range_end timestamp
-- param:    reactivation_days integer
-- Differences of neighbouring spans per component (D31 to D34), with range_start <= occurred_at < range_end. Rows with is_unpriced may have
-- the amount 0; they exist so that the gap is noticed. The kind and `is_swap` look at each currency alone. `joint_type` is the kind over all
-- currencies of the customer: 'net' if base amounts decide it, because the customer goes on in another currency (D85). Plan columns follow D61. Each amount has the day whose rate fixes it (D12). A customer that
-- comes back after more than :reactivation_days is new (D81): its last loss is the instant at which it left. The rows are distinct anyway:
-- `distinct` makes MariaDB materialize them, so that it looks up their rates by key.
with neighbour as (
  select span.*,
    lag(span.status) over w as status_before, lag(span.plan) over w as plan_before, lag(span.plan_key) over w as plan_key_before,
    lag(span.phase_type) over w as phase_before, lag(span.price_list) over w as price_list_before,
    lag(span.subscription_mrr_cents) over w as subscription_before, lag(span.usage_mrr_cents) over w as usage_before,
    lag(span.subscription_fixed_on) over w as subscription_fixed_before, lag(span.usage_fixed_on) over w as usage_fixed_before,
    lag(span.is_unpriced) over w as unpriced_before
  from relation.subscription_span as span
  window w as (partition by span.customer_key, span.subscription_id order by span.valid_from)
),
turn as (
  select customer_key, subscription_id, currency, side.is_end,
    case when is_end = 1 then valid_to else valid_from end as occurred_at,
    case when is_end = 1 then end_reason else start_reason end as reason,
    case when is_end = 1 then status else coalesce(status_before, 'none') end as status_before,
    case when is_end = 1 then 'ended' else status end as status_after,
    case when is_end = 0 and status in ('active', 'paused') then 1 else 0 end
      - case when is_end = 1 and status in ('active', 'paused') or is_end = 0 and status_before in ('active', 'paused') then 1 else 0 end as live_step,
    case when is_end = 1 then subscription_mrr_cents else coalesce(subscription_before, 0) end as subscription_before,
    case when is_end = 1 then 0 else subscription_mrr_cents end as subscription_after,
    case when is_end = 1 then usage_mrr_cents else coalesce(usage_before, 0) end as usage_before,
    case when is_end = 1 then 0 else usage_mrr_cents end as usage_after,
    case when is_end = 1 then subscription_fixed_on else subscription_fixed_before end as subscription_before_on,
    case when is_end = 0 then subscription_fixed_on end as subscription_after_on,
    case when is_end = 1 then usage_fixed_on else usage_fixed_before end as usage_before_on,
    case when is_end = 0 then usage_fixed_on end as usage_after_on,
    case when is_end = 1 or status = 'paused' then 1 else 0 end as names_before,
    case when is_unpriced = true or (is_end = 0 and coalesce(unpriced_before, false) = true) then 1 else 0 end as unpriced,
    case when is_end = 0 and status = 'paused' then plan_before else plan end as plan,
    case when is_end = 0 and status = 'paused' then plan_key_before else plan_key end as plan_key,
    case when is_end = 0 and status = 'paused' then phase_before else phase_type end as phase_type,
    case when is_end = 0 and status = 'paused' then price_list_before else price_list end as price_list
  from neighbour
  cross join (select 0 as is_end union all select 1) as side
  where side.is_end = 0 or end_reason is not null
),
placed as (
  select turn.*,
    sum(live_step) over (partition by customer_key order by occurred_at)
      - sum(live_step) over (partition by customer_key, occurred_at) as live_before,
    sum(case when live_step > 0 then 1 else 0 end) over (partition by customer_key order by occurred_at)
      - sum(case when live_step > 0 then 1 else 0 end) over (partition by customer_key, occurred_at) as activations_before,
    max(case when live_step < 0 then occurred_at end) over (partition by customer_key order by occurred_at) as lost_at,
    case when status_before = 'active' and status_after = 'ended' then 1
      when live_step = 1 and status_after = 'active' then 2 else 0 end as swap_side
  from turn
  where occurred_at < :range_end and (occurred_at >= :range_start or live_step <> 0)
),
in_window as (
  select placed.*, line.bundle_line,
    sum(case when swap_side = 1 then 1 else 0 end) over s as swap_ends,
    sum(case when swap_side = 2 then 1 else 0 end) over s as swap_starts,
    sum(case when swap_side > 0 then subscription_after - subscription_before + usage_after - usage_before else 0 end) over s as swap_net
  from placed
  join relation.bundle_line as line on line.subscription_id = placed.subscription_id
  where occurred_at >= :range_start
    and (swap_side > 0 or subscription_after <> subscription_before or usage_after <> usage_before or unpriced = 1)
  window s as (partition by placed.customer_key, placed.occurred_at, line.bundle_line, placed.currency)
),
paired as (
  select in_window.*, case when swap_side > 0 and swap_ends > 0 and swap_starts > 0 then 1 else 0 end as swapped,
    case when swap_ends > 0 and swap_starts > 0 or reason = 'bundle_transfer' then 0 else swap_side end as single_side
  from in_window
),
switching as (
  select paired.*,
    min(case when single_side = 1 then currency end) over i as first_left, max(case when single_side = 1 then currency end) over i as last_left,
    min(case when single_side = 2 then currency end) over i as first_taken, max(case when single_side = 2 then currency end) over i as last_taken
  from paired
  window i as (partition by customer_key, occurred_at)
),
component as (
  select distinct switching.*, part.movement_source,
    case when single_side = 1 and (first_taken <> currency or last_taken <> currency) then 1
      when single_side = 2 and (first_left <> currency or last_left <> currency) then 1 else 0 end as switched,
    case when part.movement_source = 'usage' then usage_before else subscription_before end as before_cents,
    case when part.movement_source = 'usage' then usage_before_on else subscription_before_on end as before_fixed_on,
    case when part.movement_source = 'usage' then usage_after else subscription_after end as after_cents,
    case when part.movement_source = 'usage' then usage_after_on else subscription_after_on end as after_fixed_on
  from switching
  cross join (select 'subscription' as movement_source union all select 'usage') as part
  where (part.movement_source = 'usage' and usage_after <> usage_before)
    or (part.movement_source = 'subscription' and (subscription_after <> subscription_before or unpriced = 1))
),
typed as (
  select component.*,
    case when swapped = 1 then case when swap_net >= 0 then 'expansion' else 'contraction' end
      when status_after in ('paused', 'ended') then 'churn'
      when status_before = 'paused' then 'reactivation'
      when status_before = 'active' then case when after_cents > before_cents then 'expansion' else 'contraction' end
      when activations_before > 0 and live_before = 0
        and fn.microseconds_between(lost_at, occurred_at) <= :reactivation_days * 86400000000 then 'reactivation'
      else 'new' end as movement_type
  from component
)
select occurred_at, movement_type, case when switched = 1 then 'net' else movement_type end as joint_type,
  movement_source, after_cents - before_cents as amount_cents, currency, customer_key, subscription_id, plan_key, plan, phase_type,
  price_list, reason, swapped = 1 as is_swap, unpriced = 1 as is_unpriced,
  case when after_cents <> 0 then after_fixed_on else before_fixed_on end as fixed_on,
  before_cents, before_fixed_on, after_cents, after_fixed_on,
  case when names_before = 1 then subscription_before else subscription_after end as named_subscription_cents,
  case when names_before = 1 then subscription_before_on else subscription_after_on end as named_subscription_fixed_on,
  case when names_before = 1 then usage_before else usage_after end as named_usage_cents,
  case when names_before = 1 then usage_before_on else usage_after_on end as named_usage_fixed_on
from typed
