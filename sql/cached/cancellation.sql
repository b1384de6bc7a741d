-- relation: cancellation
-- Cancellations with their reason (D46).
select held.customer_key, held.subscription_id, held.requested_at, held.effective_at, held.cancel_reason, held.is_last
from cached_cancellation as held
