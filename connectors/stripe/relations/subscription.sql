-- relation: subscription
-- reads:    stripe_life
-- param:    now timestamp
-- Subscriptions that count (S4). The request of a cancellation is separate from its end (S7). A subscription without a row was asked for at its end.
select life.subscription_id, life.customer_key, null as bundle_id, null as bundle_external_key, null as bundle_line, null as external_key,
  null as category, life.created_at, case when 1 = 0 then life.created_at end as original_started_at,
  case when 1 = 0 then cast(life.created_at as date) end as charged_through_on,
  case when life.ended_at is not null or life.planned_end_at > :now then life.requested_at end as cancel_requested_at,
  coalesce(life.ended_at, case when life.planned_end_at > :now then life.planned_end_at end) as cancel_at
from relation.stripe_life as life
