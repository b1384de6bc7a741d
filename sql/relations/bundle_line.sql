-- relation: bundle_line
-- reads:    subscription
-- Subscriptions that can replace each other (D33): the subscriptions of one line or, without a line, of one bundle. Any other
-- subscription is a separate line.
select subscription.customer_key, subscription.subscription_id,
  coalesce(subscription.bundle_line, subscription.bundle_id, subscription.subscription_id) as bundle_line
from relation.subscription as subscription
