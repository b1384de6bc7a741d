-- relation: lago_piece
-- reads:    lago_row, lago_row_plan, lago_plan
-- Stretches [from_at, to_at) of subscriptions in which one row and one plan are in force. Pieces of an external id that follow each other
-- without a gap and in one currency are one subscription. It has the id of the row that it begins with. A number follows if the
-- subscription begins in the middle of that row, because the currency changed there.
with cut as (
  select part.row_key, part.customer_key, part.external_id, part.created_at, part.updated_at, part.trial_anchor, part.planned_end_at,
    part.from_at as row_from, case when history.from_at > part.from_at then history.from_at else part.from_at end as from_at,
    case when history.to_at < part.to_at then history.to_at else part.to_at end as to_at,
    case when history.to_at < part.to_at then 0 else part.is_expired end as is_expired,
    plan.own_plan_key, plan.currency
  from relation.lago_row as part
  join relation.lago_row_plan as history on history.row_key = part.row_key and history.from_at < part.to_at
    and history.to_at > part.from_at and history.to_at > history.from_at
  join relation.lago_plan as plan on fn.text(plan.own_plan_key) = history.plan_id
),
compared as (
  select cut.*, row_number() over (partition by row_key order by from_at) as place_in_row,
    case when lag(to_at) over w = from_at and lag(currency) over w = currency then 0 else 1 end as is_begin
  from cut
  window w as (partition by customer_key, external_id order by from_at)
),
numbered as (
  select compared.*, sum(is_begin) over (partition by customer_key, external_id order by from_at) as life_number
  from compared
)
select row_key, customer_key, external_id, trial_anchor, planned_end_at, row_from, from_at, to_at, is_expired, is_begin, created_at, updated_at,
  own_plan_key, currency,
  first_value(case when place_in_row = 1 then fn.text(row_key) else concat(fn.text(row_key), '.', fn.text(place_in_row)) end)
    over (partition by customer_key, external_id, life_number order by from_at) as subscription_id,
  row_number() over (partition by customer_key, external_id, life_number order by from_at desc) as place_from_end
from numbered
