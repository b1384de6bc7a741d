-- relation: lago_fixed
-- reads:    lago_piece, lago_instant, lago_unit, lago_unit_price
-- Prices of the fixed charges at each instant, in hundredths. A fixed charge counts from its creation on, or from its first units if they are
-- earlier, until it is deleted. Without units it has the
-- price of zero units.
select instant.subscription_id, instant.instant,
  sum(fn.integer(round(100 * (price.base_amount + (coalesce(unit.units, 0) - price.base_units) * price.unit_amount), 0))) as cents,
  max(case when price.charge_id is null then 1 else 0 end) as is_unpriced
from relation.lago_instant as instant
join relation.lago_piece as piece on piece.subscription_id = instant.subscription_id and piece.from_at = instant.piece_from
join fixed_charges as charge on charge.plan_id = piece.own_plan_key
left join relation.lago_unit as unit on unit.subscription_id = piece.subscription_id and unit.piece_from = piece.from_at
  and unit.charge_key = charge.id and instant.instant >= unit.from_at and instant.instant < unit.to_at
left join relation.lago_unit_price as price on price.charge_id = fn.text(charge.id) and instant.instant >= price.from_at
  and instant.instant < price.to_at and coalesce(unit.units, 0) > price.units_above and coalesce(unit.units, 0) <= price.units_through
where instant.instant < coalesce(fn.whole_second(charge.deleted_at), timestamp '9999-12-31 00:00:00')
  and (unit.units is not null or instant.instant >= fn.whole_second(charge.created_at))
group by instant.subscription_id, instant.instant
