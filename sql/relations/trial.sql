-- relation: trial
-- reads:    subscription_span, subscription
-- Subscriptions that began in a trial (D56). If a bundle was transferred during a trial, the trial belongs to the receiving subscription, with
-- the start of the original (D57).
with life as (
  select span.customer_key, span.subscription_id, min(span.valid_from) as began_at,
    min(case when span.is_trial = true then span.valid_from end) as trial_from,
    min(case when span.is_live = true then span.valid_from end) as converted_at,
    max(case when span.end_reason is not null then span.valid_to end) as ended_at,
    max(span.end_reason) as end_reason,
    max(case when span.start_reason = 'bundle_transfer' then 1 else 0 end) as is_received
  from relation.subscription_span as span
  group by span.customer_key, span.subscription_id
)
select life.customer_key, life.subscription_id,
  case when life.is_received = 1 then coalesce(subscription.original_started_at, life.began_at) else life.began_at end as started_at,
  life.converted_at, case when life.converted_at is null then life.ended_at end as expired_at
from life
join relation.subscription as subscription on subscription.subscription_id = life.subscription_id
where life.trial_from = life.began_at
  and (life.converted_at is not null or coalesce(life.end_reason, '') <> 'bundle_transfer')
