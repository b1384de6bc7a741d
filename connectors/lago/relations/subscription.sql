-- relation: subscription
-- reads:    lago_piece, lago_waiting
-- param:    now timestamp
-- Subscriptions that were ever in force, and those that the engine has not started yet. The engine does not store when somebody asked for an end,
-- so the end itself is the request.
with life as (
  select begun.subscription_id, begun.customer_key, begun.external_id, begun.created_at,
    case when closing.to_at < timestamp '9999-12-31 00:00:00' then closing.to_at end as ended_at,
    case when closing.planned_end_at > :now then closing.planned_end_at end as planned_end_at
  from relation.lago_piece as begun
  join relation.lago_piece as closing on closing.subscription_id = begun.subscription_id and closing.place_from_end = 1
  where begun.is_begin = 1
  union all
  select waiting.subscription_id, waiting.customer_key, waiting.external_id, waiting.stated_at, null,
    case when waiting.is_planned = 1 then waiting.planned_end_at end
  from relation.lago_waiting as waiting
)
select subscription_id, customer_key, null as bundle_id, null as bundle_external_key, null as bundle_line, external_id as external_key,
  null as category, fn.whole_second(created_at) as created_at, case when 1 = 0 then created_at end as original_started_at,
  case when 1 = 0 then cast(created_at as date) end as charged_through_on, ended_at as cancel_requested_at,
  coalesce(ended_at, planned_end_at) as cancel_at
from life
