-- relation: lago_waiting
-- reads:    customer, lago_plan
-- param:    now timestamp
-- Rows of `subscriptions` that the engine has not started yet. It starts each on the local day of `subscription_at`. Rows with a predecessor are
-- changes of plan whose day is not stored, so they are left out. Once the start is due, the engine decides, and the row waits. A trial is counted
-- from the first start that the external id ever had. The engine writes the units of fixed charges at the start, so the price of a plan with
-- fixed charges is not known before.
select waiting.id as row_key, fn.text(waiting.id) as subscription_id, waiting.customer_id as customer_key, waiting.external_id,
  fn.whole_second(waiting.created_at) as stated_at, fn.whole_second(waiting.subscription_at) as from_at,
  case when waiting.subscription_at > :now then 1 else 0 end as is_planned,
  case when waiting.ending_at > waiting.subscription_at and waiting.ending_at > :now then fn.whole_second(waiting.ending_at) end
    as planned_end_at,
  plan.own_plan_key, plan.currency, coalesce(earlier.trial_anchor, waiting.subscription_at) as trial_anchor,
  case when fixed.plan_id is null then 0 else 1 end as has_fixed
from subscriptions as waiting
join relation.customer as customer on customer.customer_key = waiting.customer_id
join relation.lago_plan as plan on plan.own_plan_key = waiting.plan_id
left join (
  select part.customer_id, part.external_id, min(part.started_at) as trial_anchor
  from subscriptions as part
  where part.started_at is not null
  group by part.customer_id, part.external_id
) as earlier on earlier.customer_id = waiting.customer_id and earlier.external_id = waiting.external_id
left join (
  select distinct charge.plan_id
  from fixed_charges as charge
  where charge.deleted_at is null
) as fixed on fixed.plan_id = waiting.plan_id
where waiting.status = 0 and waiting.previous_subscription_id is null and waiting.subscription_at is not null
