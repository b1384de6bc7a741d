-- relation: subscription
-- Subscriptions of the accounts that count.
select held.subscription_id, held.customer_key, held.bundle_id, held.bundle_external_key, held.bundle_line, held.external_key,
  held.category, held.created_at, held.original_started_at, held.charged_through_at, held.cancel_requested_at, held.cancel_at
from cached_subscription as held
