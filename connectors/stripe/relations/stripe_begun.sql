-- relation: stripe_begun
-- reads:    stripe_subscription, stripe_ghost, customer
-- Subscriptions that count (S4), with start, end and trial (S5 to S8). A trial that was added to a running subscription has its time in `free_from` and
-- `free_to`.
select held.subscription_id, customer.customer_key, held.currency, held.created_at, held.started_at, held.ended_at, held.cancel_at as planned_end_at,
  held.canceled_at as requested_at, held.cancel_reason, held.status, held.synced_at, held.period_end_at,
  case when held.trial_started_at <= fn.add_seconds(held.started_at, 60) then held.trial_ended_at end as trial_ended_at,
  case when held.trial_started_at > fn.add_seconds(held.started_at, 60) then held.trial_started_at end as free_from,
  case when held.trial_started_at > fn.add_seconds(held.started_at, 60) then held.trial_ended_at end as free_to, 0 as is_ghost
from relation.stripe_subscription as held
join relation.customer as customer on customer.customer_key = held.customer_id
where held.status not in ('incomplete', 'incomplete_expired')
union all
select ghost.subscription_id, ghost.customer_id, ghost.currency, ghost.created_at, ghost.started_at, ghost.ended_at, null, ghost.ended_at, null,
  'canceled', ghost.ended_at, null, ghost.trial_ended_at, null, null, 1
from relation.stripe_ghost as ghost
