-- relation: lago_row_plan
-- reads:    lago_row
-- The plan of each row of `subscriptions`, with the time [from_at, to_at) of each. An override of a running subscription rewrites the column in
-- place, and `versions` holds the value before.
with entered as (
  select part.row_key, fn.whole_second(version.created_at) as to_at, version.id as version_number,
    fn.json_text(version.object_changes, '$.plan_id[0]') as plan_id
  from relation.lago_row as part
  join versions as version on version.item_type = 'Subscription' and version.item_id = fn.text(part.row_key)
  where version.event <> 'create' and fn.json_text(version.object_changes, '$.plan_id[1]') is not null
  union all
  select part.row_key, timestamp '9999-12-31 00:00:00', 0, fn.text(part.plan_id)
  from relation.lago_row as part
)
select row_key, plan_id, to_at,
  coalesce(lag(to_at) over (partition by row_key order by to_at, version_number), timestamp '1000-01-01 00:00:00') as from_at
from entered
