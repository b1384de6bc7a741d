-- relation: live_stretch
-- reads:    subscription_span
-- param:    range_start timestamp
-- param:    range_end timestamp
-- One row per customer and maximal stretch [valid_from, valid_to) in which at least one subscription is live (D38). Changes at the same
-- instant count together, so a swap does not end a stretch. `is_churn` is true if the stretch ends in a logo churn event (D39), and false if
-- everything that ended at that instant left by a bundle transfer (D40). The spans are those that touch the window.
with edge as (
  select span.customer_key, side.sign,
    case when side.sign = 1 then span.valid_from else span.valid_to end as turned_at,
    case when side.sign = -1 and span.end_reason <> 'bundle_transfer' then 1 else 0 end as is_lost
  from relation.subscription_span as span
  cross join (select 1 as sign union all select -1) as side
  where span.is_live = true and span.valid_from <= :range_end and (span.valid_to is null or span.valid_to >= :range_start)
    and (side.sign = 1 or span.valid_to is not null)
),
stepped as (
  select customer_key, turned_at, sum(sign) as live_step, max(is_lost) as is_lost
  from edge
  group by customer_key, turned_at
),
counted as (
  select stepped.*, sum(live_step) over (partition by customer_key order by turned_at) as live_after
  from stepped
),
paired as (
  select counted.*, lead(turned_at) over w as ended_at, lead(is_lost) over w as ended_by_loss
  from counted
  where (live_after > 0 and live_after = live_step) or (live_after = 0 and live_step < 0)
  window w as (partition by customer_key order by turned_at)
)
select customer_key, turned_at as valid_from, ended_at as valid_to,
  case when ended_by_loss = 1 then true else false end as is_churn
from paired
where live_after > 0
