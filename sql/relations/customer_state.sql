-- relation: customer_state
-- reads:    mrr_span, customer_activity
-- param:    now timestamp
-- Current status, MRR, first activity and last logo churn of each customer that is live, is in a trial or was live before (D38). Original
-- amounts of several currencies have no sum.
-- The window must begin before all spans and end just after now.
with fact as (
  select span.customer_key, case when span.is_live = true then 1 else 0 end as live, case when span.is_trial = true then 1 else 0 end as trialing,
    case when span.status = 'active' then 1 else 0 end as active, case when span.is_unpriced = true then 1 else 0 end as unpriced,
    case when span.mrr_cents <> 0 and span.mrr_base_cents is null then 1 else 0 end as unrated,
    span.currency, span.mrr_cents, span.mrr_base_cents, case when 1 = 0 then span.valid_from end as first_active_at,
    case when 1 = 0 then span.valid_from end as churned_at
  from relation.mrr_span as span
  where span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now)
  union all
  select activity.customer_key, 0, 0, 0, 0, 0, null, 0, 0, activity.valid_from, case when activity.is_churn = true then activity.valid_to end
  from relation.customer_activity as activity
),
added as (
  select customer_key, sum(live) as live, max(trialing) as trialing, max(active) as active, max(unpriced) as unpriced,
    max(unrated) as unrated, sum(mrr_cents) as mrr_cents, sum(mrr_base_cents) as mrr_base_cents,
    min(currency) as first_currency, max(currency) as last_currency, min(first_active_at) as first_active_at, max(churned_at) as churned_at
  from fact
  group by customer_key
)
select customer_key,
  case when mrr_cents > 0 or unpriced = 1 then 'active' when active = 1 then 'free' when live > 0 then 'paused'
    when trialing = 1 then 'trialing' else 'churned' end as status,
  first_active_at, case when live = 0 then churned_at end as churned_at, fn.integer(live) as live_subscriptions,
  case when first_currency = last_currency then first_currency end as currency,
  case when unpriced = 0 and (first_currency = last_currency or first_currency is null) then fn.integer(mrr_cents) end as mrr_cents,
  case when unpriced = 0 and unrated = 0 then fn.integer(mrr_base_cents) end as mrr_base_cents
from added
