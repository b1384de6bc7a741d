-- relation: lago_plan
-- reads:    tenant
-- Plans as the engine bills them, overrides (child plans) included. A child keeps the code of its parent, and counts as that plan. The price of
-- a month is the price of the period times numerator by denominator: 52 weeks are 12 months. `trial_seconds` is 0 without a trial. Usage counts
-- until the last usage charge was deleted.
select plan.id as own_plan_key, coalesce(plan.parent_id, plan.id) as plan_key, plan.code as plan_id, plan.amount_currency as currency,
  plan.interval as period, plan.amount_cents, case when fn.text(plan.pricing_type) = 'product_catalog' then 1 else 0 end as is_unpriced,
  case when plan.interval = 0 then 52 else 1 end as month_numerator,
  case plan.interval when 0 then 12 when 1 then 1 when 2 then 12 when 3 then 3 when 4 then 6 end as month_denominator,
  case when plan.interval in (2, 4) and plan.bill_fixed_charges_monthly = true then 1 else 0 end as bills_units_monthly,
  fn.integer(coalesce(cast(plan.trial_period as decimal(20, 6)), 0) * 86400) as trial_seconds, metered.usage_until
from plans as plan
join relation.tenant as tenant on tenant.source_id = fn.text(plan.organization_id)
left join (
  select charge.plan_id, max(coalesce(fn.whole_second(charge.deleted_at), timestamp '9999-12-31 00:00:00')) as usage_until
  from charges as charge
  group by charge.plan_id
) as metered on metered.plan_id = plan.id
