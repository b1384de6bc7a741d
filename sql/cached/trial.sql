-- relation: trial
-- Trials with their outcome up to now (D56).
select held.customer_key, held.subscription_id, held.started_at, held.converted_at, held.expired_at
from cached_trial as held
