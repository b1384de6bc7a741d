-- relation: lago_plan_amount
-- reads:    lago_plan
-- The amount of each plan, with the time [from_at, to_at) of each. The engine edits it in place, and `versions` holds the value before.
with entered as (
  select plan.own_plan_key, fn.whole_second(version.created_at) as to_at, version.id as version_number,
    fn.integer(fn.json_text(version.object_changes, '$.amount_cents[0]')) as amount_cents
  from relation.lago_plan as plan
  join versions as version on version.item_type = 'Plan' and version.item_id = fn.text(plan.own_plan_key)
  where version.event <> 'create' and fn.json_text(version.object_changes, '$.amount_cents[1]') is not null
  union all
  select plan.own_plan_key, timestamp '9999-12-31 00:00:00', 0, plan.amount_cents
  from relation.lago_plan as plan
)
select own_plan_key, amount_cents, to_at,
  coalesce(lag(to_at) over (partition by own_plan_key order by to_at, version_number), timestamp '1000-01-01 00:00:00') as from_at
from entered
