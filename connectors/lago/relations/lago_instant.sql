-- relation: lago_instant
-- reads:    lago_piece, lago_plan, lago_plan_amount, lago_unit, lago_unit_price
-- Instants at which a value of a piece may change: its begin, the end of its trial, an edit of a price, a change of units, and the
-- deletion of a charge. `stated_at` is the instant at which the engine knew of it: the end of a trial is known from the start on, and units
-- may be set for a later day.
with begun as (
  select piece.subscription_id, piece.from_at, piece.to_at, piece.trial_anchor, piece.own_plan_key,
    case when fn.whole_second(piece.created_at) > piece.from_at then fn.whole_second(piece.created_at) else piece.from_at end as known_at
  from relation.lago_piece as piece
),
entered as (
  select begun.subscription_id, begun.from_at as piece_from, begun.from_at as instant, begun.known_at as stated_at
  from begun
  union all
  select begun.subscription_id, begun.from_at, fn.whole_second(fn.add_seconds(begun.trial_anchor, plan.trial_seconds)), begun.known_at
  from begun
  join relation.lago_plan as plan on plan.own_plan_key = begun.own_plan_key
  where plan.trial_seconds > 0
  union all
  select begun.subscription_id, begun.from_at, plan.usage_until, plan.usage_until
  from begun
  join relation.lago_plan as plan on plan.own_plan_key = begun.own_plan_key
  union all
  select begun.subscription_id, begun.from_at, amount.from_at, amount.from_at
  from begun
  join relation.lago_plan_amount as amount on amount.own_plan_key = begun.own_plan_key
  union all
  select unit.subscription_id, unit.piece_from, unit.from_at, fn.whole_second(unit.created_at)
  from relation.lago_unit as unit
  union all
  select begun.subscription_id, begun.from_at, fn.whole_second(charge.created_at), fn.whole_second(charge.created_at)
  from begun
  join fixed_charges as charge on charge.plan_id = begun.own_plan_key
  union all
  select begun.subscription_id, begun.from_at, fn.whole_second(charge.deleted_at), fn.whole_second(charge.deleted_at)
  from begun
  join fixed_charges as charge on charge.plan_id = begun.own_plan_key
  union all
  select begun.subscription_id, begun.from_at, price.from_at, price.from_at
  from begun
  join fixed_charges as charge on charge.plan_id = begun.own_plan_key
  join relation.lago_unit_price as price on price.charge_id = fn.text(charge.id)
)
select begun.subscription_id, entered.piece_from, entered.instant, min(entered.stated_at) as stated_at
from begun
join entered on entered.subscription_id = begun.subscription_id and entered.piece_from = begun.from_at
where entered.instant >= begun.from_at and entered.instant < begun.to_at
group by begun.subscription_id, entered.piece_from, entered.instant
