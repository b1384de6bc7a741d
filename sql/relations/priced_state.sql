-- relation: priced_state
-- reads:    subscription_fact, usage_mean, plan
-- param:    now timestamp
-- param:    until timestamp
-- The facts of subscriptions with their usage means, for connectors that do not supply priced states themselves. Facts up to :until count
-- if they are known now (D80). A plan's billing period is that of its final phase. The price of one unit is the monthly price divided by the
-- quantity. The condition on facts is repeated: MySQL 8.0 loses rows if a CTE has bound values and is read twice.
with entered as (
  select fact.subscription_id, fact.fact_at as entered_at, 1 as is_fact, null as mean_cents
  from relation.subscription_fact as fact
  where fact.fact_at <= :now or (fact.fact_at <= :until and fact.stated_at <= :now)
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
  select counted.*, max(mean_cents) over (partition by subscription_id, mean_number) as mean_so_far
  from counted
),
numbered as (
  select fact.*, row_number() over w as fact_number,
    first_value(case when fact.reason = 'bundle_transfer' then 1 else 0 end) over w as began_by_transfer,
    min(case when fact.status = 'ended' then fact.fact_at end) over (partition by fact.subscription_id) as ended_at,
    max(case when fact.status = 'ended' then coalesce(fact.reason, 'cancel') end)
      over (partition by fact.subscription_id) as end_reason
  from relation.subscription_fact as fact
  where fact.fact_at <= :now or (fact.fact_at <= :until and fact.stated_at <= :now)
  window w as (partition by fact.subscription_id order by fact.fact_at)
)
select fact.customer_key, fact.subscription_id, carried.entered_at as state_from, fact.status, fact.began_by_transfer = 1 as is_transferred,
  fact.status in ('paused', 'pending') as is_blocked, coalesce(fact.reason = 'overdue', false) as is_overdue, fact.plan, fact.plan_key,
  fact.phase_type, fact.price_list, fact.quantity, fact.currency, plan.billing_period, fact.monthly_cents,
  fn.int_div(fact.monthly_cents, fact.quantity) as unit_monthly_cents,
  case when fact.has_usage = true then coalesce(carried.mean_so_far, 0) else 0 end as usage_cents, fact.ended_at, fact.end_reason
from carried
join numbered as fact on fact.subscription_id = carried.subscription_id and fact.fact_number = carried.fact_number
left join relation.plan as plan on plan.plan_key = fact.plan_key
where fact.status <> 'ended'
