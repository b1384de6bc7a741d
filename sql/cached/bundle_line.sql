-- relation: bundle_line
-- The key that joins bundles of one customer into one line (D33).
select held.subscription_id, held.bundle_line
from cached_bundle_line as held
