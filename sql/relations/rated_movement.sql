-- relation: rated_movement
-- reads:    typed_movement, fx_rate
-- param:    base_currency text
-- param:    range_start timestamp
-- param:    range_end timestamp
-- Movements with range_start <= occurred_at < range_end, with base amounts. A base amount is the difference of both sides' base amounts, each
-- at the rate of the day on which its component last changed (D12). `rate_base_cents` is the part that only the rate made: the amount before, at the
-- rate of the movement's day, less its base amount. Nothing after the movement needs a rate if the subscription ends.
with rated as (
  select movement.*,
    case when movement.before_cents = 0 or movement.currency = :base_currency then movement.before_cents
      else fn.converted(movement.before_cents, before_rate.rate) end as before_base_cents,
    case when movement.before_cents = 0 or movement.currency = :base_currency then movement.before_cents
      else fn.converted(movement.before_cents, after_rate.rate) end as revalued_base_cents,
    case when movement.after_cents = 0 or movement.currency = :base_currency then movement.after_cents
      else fn.converted(movement.after_cents, after_rate.rate) end as after_base_cents,
    case when movement.named_subscription_cents = 0 or movement.currency = :base_currency then movement.named_subscription_cents
      else fn.converted(movement.named_subscription_cents, subscription_rate.rate) end as subscription_base_cents,
    case when movement.named_usage_cents = 0 or movement.currency = :base_currency then movement.named_usage_cents
      else fn.converted(movement.named_usage_cents, usage_rate.rate) end as usage_base_cents
  from relation.typed_movement as movement
  left join relation.fx_rate as before_rate on before_rate.currency = movement.currency and before_rate.day = movement.before_fixed_on
  left join relation.fx_rate as after_rate on after_rate.currency = movement.currency
    and after_rate.day = coalesce(movement.after_fixed_on, cast(movement.occurred_at as date))
  left join relation.fx_rate as subscription_rate on subscription_rate.currency = movement.currency
    and subscription_rate.day = movement.named_subscription_fixed_on
  left join relation.fx_rate as usage_rate on usage_rate.currency = movement.currency
    and usage_rate.day = movement.named_usage_fixed_on
  where movement.occurred_at >= :range_start and movement.occurred_at < :range_end
)
select occurred_at, movement_type, joint_type, movement_source, amount_cents, after_base_cents - before_base_cents as amount_base_cents,
  revalued_base_cents - before_base_cents as rate_base_cents,
  currency, customer_key, subscription_id, plan_key, plan, phase_type, price_list,
  subscription_base_cents + usage_base_cents as mrr_base_cents, reason, is_swap, is_unpriced, fixed_on
from rated
