-- relation: subscription_span
-- reads:    subscription_fact, usage_mean
-- param:    now timestamp
-- param:    window_end timestamp
-- Spans from the facts of subscriptions and their usage means (D28), for connectors without spans. Facts that change nothing are dropped.
with entered as (
  select fact.subscription_id, fact.fact_at as entered_at, 1 as is_fact, null as mean_cents
  from relation.subscription_fact as fact
  where fact.fact_at <= :now
  union all
  select mean.subscription_id, mean.paid_at, 0, mean.mean_cents
  from relation.usage_mean as mean
),
instant as (
  select subscription_id, entered_at, max(is_fact) as is_fact, max(mean_cents) as mean_cents
  from entered
  group by subscription_id, entered_at
),
counted as (
  select instant.*, sum(is_fact) over w as fact_number, sum(case when mean_cents is null then 0 else 1 end) over w as mean_number
  from instant
  window w as (partition by subscription_id order by entered_at)
),
carried as (
  select counted.*, max(mean_cents) over (partition by subscription_id, mean_number) as usage_cents
  from counted
),
numbered as (
  select fact.*, row_number() over (partition by fact.subscription_id order by fact.fact_at) as fact_number
  from relation.subscription_fact as fact
),
stated as (
  select fact.*, carried.entered_at,
    case when fact.status = 'active' then coalesce(fact.monthly_cents, 0) else 0 end as subscription_cents,
    case when fact.status = 'active' and fact.has_usage = true then coalesce(carried.usage_cents, 0) else 0 end as usage_cents,
    case when fact.status = 'active' and fact.monthly_cents is null then 1 else 0 end as unpriced
  from carried
  join numbered as fact on fact.subscription_id = carried.subscription_id and fact.fact_number = carried.fact_number
),
compared as (
  select stated.*, coalesce(lag(status) over w, 'none') as status_before, lag(plan) over w as plan_before,
    lag(price_list) over w as list_before, lag(phase_type) over w as phase_before, lag(quantity) over w as quantity_before,
    coalesce(lag(subscription_cents) over w, 0) as subscription_before, coalesce(lag(usage_cents) over w, 0) as usage_before,
    coalesce(lag(unpriced) over w, 0) as unpriced_before
  from stated
  window w as (partition by subscription_id order by entered_at)
),
turn as (
  select compared.*, lead(entered_at) over w as next_at, lead(status) over w as next_status, lead(reason) over w as next_reason,
    max(case when subscription_cents <> subscription_before then entered_at end) over w as subscription_fixed_at,
    max(case when usage_cents <> usage_before then entered_at end) over w as usage_fixed_at,
    case when status_before = 'none' then coalesce(reason, 'start')
      when status = 'paused' and status_before <> 'paused' then coalesce(reason, 'pause')
      when status = 'active' and status_before in ('paused', 'pending') then 'resume'
      when plan <> plan_before or not (fn.null_safe_equal(price_list, list_before)) then 'plan'
      when status <> status_before or not (fn.null_safe_equal(phase_type, phase_before)) then 'phase'
      when quantity <> quantity_before then 'quantity'
      when subscription_cents <> subscription_before or unpriced <> unpriced_before then 'price'
      else 'usage' end as start_reason
  from compared
  where status <> 'pending' and (status <> status_before or plan <> plan_before or quantity <> quantity_before
    or not (fn.null_safe_equal(price_list, list_before)) or not (fn.null_safe_equal(phase_type, phase_before))
    or subscription_cents <> subscription_before or usage_cents <> usage_before or unpriced <> unpriced_before)
  window w as (partition by subscription_id order by entered_at)
)
select customer_key, subscription_id, entered_at as valid_from, next_at as valid_to, status, plan, plan_key, phase_type, price_list,
  quantity, currency, subscription_cents as subscription_mrr_cents, usage_cents as usage_mrr_cents,
  subscription_cents + usage_cents as mrr_cents,
  status = 'trialing' as is_trial, status in ('active', 'paused') as is_live, status = 'paused' as is_paused, unpriced = 1 as is_unpriced,
  start_reason, case when next_status = 'ended' then coalesce(next_reason, 'cancel') end as end_reason,
  cast(subscription_fixed_at as date) as subscription_fixed_on, cast(usage_fixed_at as date) as usage_fixed_on
from turn
where status <> 'ended' and entered_at <= :window_end
