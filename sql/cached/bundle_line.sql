-- relation: bundle_line
-- The key by which bundles of one customer are the same line (D33).
select held.subscription_id, held.bundle_line
from cached_bundle_line as held
