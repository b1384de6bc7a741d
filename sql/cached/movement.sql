-- relation: movement
-- All movements (D31 to D34). The cache stores them although they follow from the spans, because computing them takes three window passes over
-- all history, which is most of the time of a waterfall.
select held.occurred_at, held.movement_type, held.movement_source, held.amount_cents, held.currency, held.customer_key,
  held.subscription_id, held.plan_key, held.plan, held.phase_type, held.price_list, held.reason, held.is_swap,
  held.is_unpriced, held.fixed_on, held.before_cents, held.before_fixed_on, held.after_cents, held.after_fixed_on,
  held.named_subscription_cents, held.named_subscription_fixed_on, held.named_usage_cents, held.named_usage_fixed_on
from cached_movement as held
