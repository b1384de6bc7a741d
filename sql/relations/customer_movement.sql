-- relation: customer_movement
-- reads:    movement, subscription_span
-- param:    reactivation_days integer
-- Movements with the kinds of their customers (D64). Rows of one customer, currency, component and instant form one group, whose kind follows
-- from the states of the customer just before and at the instant, and from the net amount. Rows of a group of several, and rows of a
-- subscription that pauses or ends while its customer goes on, count as rows of a swap group: by their net amount. A customer that comes back
-- after more than :reactivation_days is new (D81). The kind and `is_swap` look at each currency alone. `joint_type` is the kind over all
-- currencies of the customer: 'component_net' if the base amounts of the component decide it (D85).
with edge as (
  select span.customer_key, span.currency, case when side.sign = 1 then span.valid_from else span.valid_to end as turned_at,
    side.sign as live_step, case when span.status = 'active' then side.sign else 0 end as active_step
  from relation.subscription_span as span
  cross join (select 1 as sign union all select -1) as side
  where span.is_live = true and (side.sign = 1 or span.valid_to is not null)
),
stepped as (
  select customer_key, currency, turned_at, sum(live_step) as live_step, sum(active_step) as active_step
  from edge
  group by customer_key, currency, turned_at
),
counted as (
  select stepped.*, sum(active_step) over c as active_after, sum(active_step) over c - active_step as active_before,
    sum(live_step) over c - live_step as live_before,
    sum(live_step) over (partition by customer_key order by turned_at)
      - sum(live_step) over (partition by customer_key, turned_at) as customer_live_before,
    sum(active_step) over (partition by customer_key order by turned_at) as customer_active_after,
    sum(active_step) over (partition by customer_key order by turned_at)
      - sum(active_step) over (partition by customer_key, turned_at) as customer_active_before,
    min(turned_at) over (partition by customer_key) as first_live_at,
    max(case when live_step < 0 then turned_at end) over (partition by customer_key order by turned_at) as lost_at
  from stepped
  window c as (partition by customer_key, currency order by turned_at)
),
netted as (
  select movement.*,
    sum(movement.amount_cents) over g as net_cents, count(*) over g as parts,
    count(*) over (partition by movement.customer_key, movement.occurred_at, movement.movement_source) as joint_parts
  from relation.movement as movement
  window g as (partition by movement.customer_key, movement.occurred_at, movement.movement_source, movement.currency)
),
typed as (
  select netted.*,
    case when counted.active_before > 0 and counted.active_after > 0
        then case when netted.net_cents >= 0 then 'expansion' else 'contraction' end
      when counted.active_after = 0 then 'churn'
      when counted.live_before > 0 then 'reactivation'
      when counted.customer_live_before = 0 and counted.first_live_at < netted.occurred_at
        and fn.microseconds_between(counted.lost_at, netted.occurred_at) <= :reactivation_days * 86400000000 then 'reactivation'
      else 'new' end as customer_type,
    case when counted.customer_active_before > 0 and counted.customer_active_after > 0 then 'active'
      when counted.customer_active_after = 0 then 'churn'
      when counted.customer_live_before > 0 then 'reactivation'
      when counted.first_live_at < netted.occurred_at
        and fn.microseconds_between(counted.lost_at, netted.occurred_at) <= :reactivation_days * 86400000000 then 'reactivation'
      else 'new' end as joint_kind
  from netted
  join counted on counted.customer_key = netted.customer_key and counted.turned_at = netted.occurred_at
    and fn.null_safe_equal(counted.currency, netted.currency)
)
select occurred_at, customer_type as movement_type,
  case when joint_kind <> 'active' then joint_kind
    when joint_parts > parts or customer_type = 'churn' then 'component_net'
    when net_cents >= 0 then 'expansion' else 'contraction' end as joint_type,
  movement_source, amount_cents, currency, customer_key, subscription_id, plan_key, plan,
  phase_type, price_list, reason, parts > 1 or (movement_type = 'churn' and customer_type <> 'churn') as is_swap, is_unpriced, fixed_on,
  before_cents, before_fixed_on, after_cents, after_fixed_on, named_subscription_cents, named_subscription_fixed_on, named_usage_cents,
  named_usage_fixed_on
from typed
