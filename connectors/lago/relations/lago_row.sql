-- relation: lago_row
-- reads:    customer, zone_offset
-- Rows of `subscriptions` that were ever in force, with the time [from_at, to_at) of each. The engine keeps a row for each stretch of an external
-- id. A row that was created later replaces all earlier ones from its start on, so overlaps disappear. A trial is counted from the first start
-- that the external id ever had, failed ones included. A row expired if it was terminated on the local day of its planned end, or later.
with placed as (
  select part.id as row_key, part.customer_id as customer_key, part.external_id, part.plan_id, part.status, part.ending_at, part.created_at,
    part.updated_at, fn.whole_second(part.started_at) as from_at,
    case when part.status = 2 then fn.whole_second(part.terminated_at) end as terminated_at,
    min(part.started_at) over (partition by part.customer_id, part.external_id) as trial_anchor,
    min(case when part.status in (1, 2) then fn.whole_second(part.started_at) end) over (
      partition by part.customer_id, part.external_id order by part.created_at desc, part.id desc
      rows between unbounded preceding and 1 preceding
    ) as replaced_at
  from subscriptions as part
),
bounded as (
  select placed.*, case when coalesce(replaced_at, timestamp '9999-12-31 00:00:00') < coalesce(terminated_at, timestamp '9999-12-31 00:00:00')
    then replaced_at else coalesce(terminated_at, timestamp '9999-12-31 00:00:00') end as to_at
  from placed
  where status in (1, 2) and from_at is not null
)
select bounded.row_key, bounded.customer_key, bounded.external_id, bounded.plan_id, bounded.created_at, bounded.updated_at, bounded.trial_anchor,
  bounded.from_at, bounded.to_at, case when bounded.status = 1 then fn.whole_second(bounded.ending_at) end as planned_end_at,
  case when cast(fn.add_seconds(bounded.terminated_at, coalesce(ended.offset_seconds, 0)) as date)
      >= cast(fn.add_seconds(bounded.ending_at, coalesce(planned.offset_seconds, 0)) as date) then 1 else 0 end as is_expired
from bounded
join relation.customer as customer on customer.customer_key = bounded.customer_key
left join relation.zone_offset as ended on ended.time_zone = customer.time_zone and bounded.terminated_at >= ended.from_at
  and bounded.terminated_at < ended.to_at
left join relation.zone_offset as planned on planned.time_zone = customer.time_zone and bounded.ending_at >= planned.from_at
  and bounded.ending_at < planned.to_at
where bounded.to_at > bounded.from_at
