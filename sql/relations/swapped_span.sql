-- relation: swapped_span
-- reads:    own_span
-- param:    swap_minutes integer
-- The spans under a swap window (D83). The end of an active subscription is moved to the first activation of another one of its customer,
-- if they are at most :swap_minutes apart. Only the last span changes, so it must have begun before that activation. The other
-- subscription must outlive the one that ends. A bundle transfer is no such end, and no such activation.
with life as (
  select span.customer_key, span.subscription_id, span.valid_from,
    min(case when span.is_live = true then span.valid_from end) over s as activated_at,
    max(case when span.end_reason is not null then span.valid_to end) over s as ended_at,
    max(case when span.start_reason = 'bundle_transfer' then 1 else 0 end) over s as is_received
  from relation.own_span as span
  window s as (partition by span.subscription_id)
),
ending as (
  select span.customer_key, span.subscription_id, span.valid_from, span.valid_to
  from relation.own_span as span
  where span.status = 'active' and span.end_reason is not null and span.end_reason <> 'bundle_transfer'
),
swap as (
  select ending.subscription_id, min(life.activated_at) as swapped_at
  from ending
  join life on life.customer_key = ending.customer_key
    and life.subscription_id <> ending.subscription_id and life.valid_from = life.activated_at and life.is_received = 0
    and life.activated_at > ending.valid_from and (life.ended_at is null or life.ended_at > ending.valid_to)
  where fn.microseconds_between(ending.valid_to, life.activated_at) between -60000000 * :swap_minutes and 60000000 * :swap_minutes
  group by ending.subscription_id
)
select span.customer_key, span.subscription_id, span.valid_from,
  case when span.end_reason is not null then coalesce(swap.swapped_at, span.valid_to) else span.valid_to end as valid_to, span.status, span.plan,
  span.plan_key, span.phase_type, span.price_list, span.quantity, span.currency, span.subscription_mrr_cents, span.usage_mrr_cents,
  span.mrr_cents, span.is_trial, span.is_live, span.is_paused, span.is_unpriced, span.start_reason, span.end_reason,
  span.subscription_fixed_on, span.usage_fixed_on
from relation.own_span as span
left join swap on swap.subscription_id = span.subscription_id
