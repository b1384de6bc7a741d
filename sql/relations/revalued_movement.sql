-- relation: revalued_movement
-- reads:    typed_movement, fx_rate
-- param:    base_currency text
-- param:    rate_day date
-- param:    range_start timestamp
-- param:    range_end timestamp
-- The movements of rated_movement with both sides at the rate of one day: that of the movement, or :rate_day if it is given (D65). So
-- no part of an amount comes from the rate alone.
with rated as (
  select movement.*, coalesce(:rate_day, cast(movement.occurred_at as date)) as rated_on, rate.rate
  from relation.typed_movement as movement
  left join relation.fx_rate as rate on rate.currency = movement.currency
    and rate.day = coalesce(:rate_day, cast(movement.occurred_at as date))
  where movement.occurred_at >= :range_start and movement.occurred_at < :range_end
),
converted as (
  select rated.*,
    case when before_cents = 0 or currency = :base_currency then before_cents else fn.converted(before_cents, rate) end as before_base_cents,
    case when after_cents = 0 or currency = :base_currency then after_cents else fn.converted(after_cents, rate) end as after_base_cents,
    case when named_subscription_cents = 0 or currency = :base_currency then named_subscription_cents
      else fn.converted(named_subscription_cents, rate) end as subscription_base_cents,
    case when named_usage_cents = 0 or currency = :base_currency then named_usage_cents
      else fn.converted(named_usage_cents, rate) end as usage_base_cents
  from rated
)
select occurred_at, movement_type, joint_type, movement_source, amount_cents, after_base_cents - before_base_cents as amount_base_cents, 0 as rate_base_cents,
  currency, customer_key, subscription_id, plan_key, plan, phase_type, price_list,
  subscription_base_cents + usage_base_cents as mrr_base_cents, reason, is_swap, is_unpriced, rated_on as fixed_on
from converted
