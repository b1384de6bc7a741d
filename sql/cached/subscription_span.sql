-- relation: subscription_span
-- All spans (D28).
select held.customer_key, held.subscription_id, held.valid_from, held.valid_to, held.status, held.plan, held.plan_key,
  held.phase_type, held.price_list, held.quantity, held.currency, held.subscription_mrr_cents, held.usage_mrr_cents,
  held.mrr_cents, held.is_trial, held.is_live, held.is_paused, held.is_unpriced, held.start_reason, held.end_reason,
  held.subscription_fixed_on, held.usage_fixed_on
from cached_subscription_span as held
