-- relation: listed_plan
-- reads:    price_line, price, plan
-- param:    tenants integers
-- param:    now timestamp
-- Plans as stored, with the length of their billing period and today's list price of the plan that they come from. A price override has the plan
-- of its parent. The price is null if nobody can buy the plan today.
with edition as (
  select line.tenant_key, line.currency, line.phase_name, price.price, price.month_numerator, price.month_denominator, plan.plan_id,
    case when line.phase_name like '%-trial' then 'trial' when line.phase_name like '%-discount' then 'discount'
      when line.phase_name like '%-fixedterm' then 'fixedterm' else 'evergreen' end as phase_type,
    case when (price.entered_from is null or price.entered_from <= :now) and (price.entered_to is null or price.entered_to > :now)
      and (price.from_at is null or price.from_at <= :now) and (price.to_at is null or price.to_at > :now) then 1 else 0 end as is_today
  from relation.price_line as line
  join relation.price as price on price.line_key = line.line_key
  join relation.plan as plan on plan.plan_key = price.plan_key
),
listed as (
  select edition.*,
    max(case when edition.is_today = 1 and edition.phase_name = concat(fn.text(edition.plan_id), '-', fn.text(edition.phase_type))
      then fn.integer(round(edition.price * 1000000, 0)) end) over w as list_micros,
    max(case when edition.is_today = 1 and edition.phase_name = concat(fn.text(edition.plan_id), '-', fn.text(edition.phase_type))
      then edition.month_numerator end) over w as list_numerator,
    max(case when edition.is_today = 1 and edition.phase_name = concat(fn.text(edition.plan_id), '-', fn.text(edition.phase_type))
      then edition.month_denominator end) over w as list_denominator
  from edition
  window w as (partition by edition.tenant_key, edition.currency, edition.plan_id, edition.phase_type)
)
select tenant.id as source_id, substr(regexp_replace(listed.phase_name, '-(trial|discount|fixedterm|evergreen)$', ''), 1, 255) as plan,
  listed.phase_type, listed.currency, max(listed.list_micros) as list_micros, max(listed.list_numerator) as month_numerator,
  max(listed.list_denominator) as month_denominator,
  max(case when listed.month_numerator = 0 then 0 else fn.int_div(listed.month_denominator * 365, 12 * listed.month_numerator) + 2 end) as period_days
from listed
join tenants as tenant on tenant.record_id = listed.tenant_key
where tenant.record_id in (:tenants) and listed.currency <> ''
group by tenant.id, listed.phase_name, listed.phase_type, listed.currency
