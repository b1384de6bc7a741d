-- metric: mrr
-- query:  why
-- reads:  mrr_movement, bundle_line
-- param:  start timestamp
-- param:  end timestamp
-- param:  most integer
-- The :most largest changes with :start <= occurred_at < :end, by base amount, with the part that only the rate made. Both components of a
-- subscription are one change if they have the same type. A swap (D33) is also one change, and so is a switch to another currency (D85). It is
-- listed under the side that gained most, which is the subscription that begins.
with measure as (
  select fact.movement_type, fact.occurred_at, fact.reason, fact.subscription_id, fact.movement_source,
    case when fact.is_swap = true then 1 else 0 end as swapped, fact.customer_key as moved_key,
    case when fact.is_switch = true then '' when fact.is_swap = true then line.bundle_line else fact.subscription_id end as moved_id,
    fact.amount_base_cents as part, coalesce(fact.rate_base_cents, 0) as rate_part
    /*{dimensions}*/
  from relation.mrr_movement as fact
  join relation.bundle_line as line on line.subscription_id = fact.subscription_id
  /*{joins}*/
  where fact.occurred_at >= :start and fact.occurred_at < :end and fact.amount_cents <> 0
  /*{filters}*/
),
added as (
  select measure.*,
    sum(part) over w as amount_base_cents, sum(rate_part) over w as rate_base_cents,
    row_number() over (partition by moved_key, occurred_at, movement_type, swapped, moved_id
      order by part desc, fn.text(subscription_id), movement_source) as side
  from measure
  window w as (partition by moved_key, occurred_at, movement_type, swapped, moved_id)
),
ranked as (
  select added.*,
    row_number() over (order by case when amount_base_cents < 0 then -amount_base_cents else amount_base_cents end desc,
      occurred_at, fn.text(subscription_id), movement_type) as nth
  from added
  where side = 1
)
select nth, movement_type, occurred_at, reason, swapped, subscription_id, amount_base_cents, rate_base_cents
  /*{dimension_names}*/
from ranked
where nth <= :most
