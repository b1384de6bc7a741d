-- relation: subscription_life
-- reads:    subscription_fact
-- param:    now timestamp
-- Start and end of each subscription (D17, D18), with its plan now, at its end, or at its planned start. Connectors
-- that supply this relation themselves do not use this file.
with placed as (
  select fact.*, min(fact.fact_at) over (partition by fact.subscription_id) as started_at,
    min(case when fact.status = 'ended' and fact.fact_at <= :now then fact.fact_at end) over (partition by fact.subscription_id) as ended_at,
    min(case when fact.fact_at > :now then fact.fact_at end) over (
      partition by fact.subscription_id order by fact.fact_at rows between 1 following and unbounded following
    ) as next_change_at,
    max(case when fact.status = 'ended' and fact.fact_at <= :now then coalesce(fact.reason, 'cancel') end)
      over (partition by fact.subscription_id) as end_reason
  from relation.subscription_fact as fact
),
ranked as (
  select placed.*, row_number() over (partition by subscription_id order by fact_at desc) as recency
  from placed
  where status <> 'ended' and (fact_at <= :now or fact_at = started_at)
)
select customer_key, subscription_id, started_at, ended_at, end_reason, plan, plan_key, phase_type, price_list, quantity, next_change_at
from ranked
where recency = 1
