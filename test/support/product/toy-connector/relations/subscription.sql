-- relation: subscription
-- reads:    customer
-- Subscriptions with their cancellation, also a scheduled one.
select fn.text(agreed.subscription_id) as subscription_id, customer.customer_key, null as bundle_id, null as bundle_external_key,
  null as bundle_line, null as external_key, null as category, min(agreed.recorded_at) as created_at,
  min(case when 1 = 0 then agreed.changes_at end) as original_started_at,
  min(case when 1 = 0 then cast(agreed.changes_at as date) end) as charged_through_on,
  min(case when agreed.status = 'ended' then agreed.recorded_at end) as cancel_requested_at,
  min(case when agreed.status = 'ended' then agreed.changes_at end) as cancel_at
from toy_change as agreed
join relation.customer as customer on customer.customer_key = agreed.customer_id
group by agreed.subscription_id, customer.customer_key
