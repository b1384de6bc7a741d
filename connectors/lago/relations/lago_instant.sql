-- relation: lago_instant
-- reads:    lago_piece, lago_plan, lago_plan_amount, lago_unit, lago_unit_price
-- Instants at which a value of a piece may change: its begin, the end of its trial, an edit of a price, a change of units, and the
-- deletion of a charge.
with entered as (
  select piece.subscription_id, piece.from_at as piece_from, piece.from_at as instant
  from relation.lago_piece as piece
  union all
  select piece.subscription_id, piece.from_at, fn.whole_second(fn.add_seconds(piece.trial_anchor, plan.trial_seconds))
  from relation.lago_piece as piece
  join relation.lago_plan as plan on plan.own_plan_key = piece.own_plan_key
  where plan.trial_seconds > 0
  union all
  select piece.subscription_id, piece.from_at, plan.usage_until
  from relation.lago_piece as piece
  join relation.lago_plan as plan on plan.own_plan_key = piece.own_plan_key
  union all
  select piece.subscription_id, piece.from_at, amount.from_at
  from relation.lago_piece as piece
  join relation.lago_plan_amount as amount on amount.own_plan_key = piece.own_plan_key
  union all
  select unit.subscription_id, unit.piece_from, unit.from_at
  from relation.lago_unit as unit
  union all
  select piece.subscription_id, piece.from_at, fn.whole_second(charge.created_at)
  from relation.lago_piece as piece
  join fixed_charges as charge on charge.plan_id = piece.own_plan_key
  union all
  select piece.subscription_id, piece.from_at, fn.whole_second(charge.deleted_at)
  from relation.lago_piece as piece
  join fixed_charges as charge on charge.plan_id = piece.own_plan_key
  union all
  select piece.subscription_id, piece.from_at, price.from_at
  from relation.lago_piece as piece
  join fixed_charges as charge on charge.plan_id = piece.own_plan_key
  join relation.lago_unit_price as price on price.charge_id = fn.text(charge.id)
)
select distinct piece.subscription_id, entered.piece_from, entered.instant
from relation.lago_piece as piece
join entered on entered.subscription_id = piece.subscription_id and entered.piece_from = piece.from_at
where entered.instant >= piece.from_at and entered.instant < piece.to_at
