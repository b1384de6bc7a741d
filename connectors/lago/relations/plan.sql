-- relation: plan
-- reads:    lago_plan
-- Plans without their overrides.
select plan.plan_key, plan.plan_id, named.name as plan_name,
  case plan.period when 0 then 'weekly' when 1 then 'monthly' when 2 then 'yearly' when 3 then 'quarterly' when 4 then 'semiannual' end
    as billing_period,
  case plan.period when 0 then 'week' when 2 then 'year' when 1 then 'month' when 3 then 'month' when 4 then 'month' end as plan_interval,
  case when plan.amount_cents = 0 and plan.usage_until = timestamp '9999-12-31 00:00:00' and fixed.plan_id is null then 'usage_based'
    else 'flat' end as pricing_model,
  case when plan.usage_until = timestamp '9999-12-31 00:00:00' then 'metered' else 'licensed' end as usage_type,
  null as product_name, null as product_category
from relation.lago_plan as plan
join plans as named on named.id = plan.plan_key
left join (
  select distinct charge.plan_id
  from fixed_charges as charge
  where charge.deleted_at is null
) as fixed on fixed.plan_id = plan.plan_key
where plan.own_plan_key = plan.plan_key
