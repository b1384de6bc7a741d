-- relation: plan
-- The engine has no catalog. Its plans are all plans that subscriptions were ever on.
select agreed.plan as plan_key, agreed.plan as plan_id, agreed.plan as plan_name,
  case max(agreed.unit) when 'year' then 'ANNUAL' else 'MONTHLY' end as billing_period, max(agreed.unit) as plan_interval,
  'flat' as pricing_model, case when max(agreed.metered) = 1 then 'metered' else 'licensed' end as usage_type,
  null as product_name, null as product_category
from toy_change as agreed
group by agreed.plan
