-- relation: bundle_line
-- reads:    subscription
-- Which subscriptions can take each other's place (D33): those of one line, else of one bundle; others stand alone.
select subscription.subscription_id,
  coalesce(subscription.bundle_line, subscription.bundle_id, subscription.subscription_id) as bundle_line
from relation.subscription as subscription
