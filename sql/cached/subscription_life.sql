-- relation: subscription_life
-- Start and end of each subscription.
select held.customer_key, held.subscription_id, held.started_at, held.ended_at, held.end_reason, held.plan, held.plan_key,
  held.phase_type, held.price_list, held.quantity, held.next_change_at
from cached_subscription_life as held
