-- relation: customer_line
-- reads:    subscription, own_span
-- Under a swap window, any subscription of a customer can replace any other one, whatever its bundle is (D83). A subscription that leaves or arrives by
-- a bundle transfer replaces none.
with moved as (
  select distinct span.subscription_id
  from relation.own_span as span
  where span.start_reason = 'bundle_transfer' or span.end_reason = 'bundle_transfer'
)
select subscription.customer_key, subscription.subscription_id, coalesce(fn.text(moved.subscription_id), '') as bundle_line
from relation.subscription as subscription
left join moved on moved.subscription_id = subscription.subscription_id
