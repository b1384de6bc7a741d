-- relation: bundle_line
-- reads:    subscription
-- Subscriptions that can replace each other (D33): those of one line, else of one bundle. Other subscriptions are each a separate line.
select subscription.subscription_id,
  coalesce(subscription.bundle_line, subscription.bundle_id, subscription.subscription_id) as bundle_line
from relation.subscription as subscription
