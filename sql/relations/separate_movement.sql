-- relation: separate_movement
-- reads:    rated_movement
-- The movements with the kinds that they have in their currency alone (D31, D64). It takes the place of mrr_movement where amounts of several
-- currencies never meet.
select movement.occurred_at, movement.movement_type, movement.movement_source, movement.amount_cents, movement.amount_base_cents,
  case when movement.movement_type in ('expansion', 'contraction') then movement.rate_base_cents else 0 end as rate_base_cents,
  movement.currency, movement.customer_key, movement.subscription_id, movement.plan_key, movement.plan, movement.phase_type,
  movement.price_list, movement.mrr_base_cents, movement.reason, movement.is_swap, case when 1 = 0 then true else false end as is_switch,
  movement.is_unpriced, movement.fixed_on
from relation.rated_movement as movement
