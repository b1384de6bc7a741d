-- relation: mrr_movement
-- reads:    rated_movement
-- The movements over all currencies of a customer. If a customer goes on in another currency, the rows of both sides are one group, and its net base
-- amount decides the kind (D85). Without a rate of one side, no base amount of the group is known.
with netted as (
  select rated.*, case when rated.joint_type in ('net', 'component_net') then 1 else 0 end as switched,
    sum(rated.amount_base_cents) over g as net_base_cents,
    max(case when rated.amount_cents <> 0 and rated.amount_base_cents is null then 1 else 0 end) over g as net_unrated
  from relation.rated_movement as rated
  window g as (partition by rated.customer_key, rated.occurred_at, rated.joint_type,
    case when rated.joint_type = 'component_net' then rated.movement_source end)
)
select occurred_at,
  case when switched = 0 then joint_type when net_base_cents < 0 then 'contraction' else 'expansion' end as movement_type,
  movement_source, amount_cents, case when switched = 0 or net_unrated = 0 then amount_base_cents end as amount_base_cents,
  case when switched = 1 or joint_type in ('expansion', 'contraction') then rate_base_cents else 0 end as rate_base_cents,
  currency, customer_key, subscription_id, plan_key, plan, phase_type, price_list, mrr_base_cents, reason,
  case when switched = 1 then true else is_swap end as is_swap, switched = 1 as is_switch, is_unpriced, fixed_on
from netted
