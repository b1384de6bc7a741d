-- relation: lago_unit
-- reads:    lago_piece
-- needs:    fixed_charge_events
-- Units of each fixed charge in each piece, with the time [from_at, to_at) of each. Of the events that have begun, the one that was created
-- last holds. After an override, the events of the parent's charge count too. The engine stamps the first event one second after the
-- start of the row.
with stamped as (
  select piece.subscription_id, piece.from_at as piece_from, charge.id as charge_key, event.created_at, event.id as event_key,
    -- NaN is in no range of a price, so its units would be left out. As an integer it is refused.
    case when fn.integer(event.units - event.units) = 0 then event.units end as units,
    case when fn.whole_second(event.timestamp) <= fn.add_seconds(piece.row_from, 1) then piece.row_from
      else fn.whole_second(event.timestamp) end as from_at
  from relation.lago_piece as piece
  join fixed_charge_events as event on event.subscription_id = piece.row_key
  join fixed_charges as charge on charge.plan_id = piece.own_plan_key
  where event.deleted_at is null and event.fixed_charge_id in (charge.id, charge.parent_id)
),
ended as (
  select stamped.*, coalesce(min(from_at) over (
      partition by subscription_id, piece_from, charge_key order by created_at desc, event_key desc
      rows between unbounded preceding and 1 preceding
    ), timestamp '9999-12-31 00:00:00') as to_at
  from stamped
)
select subscription_id, piece_from, charge_key, units, created_at, from_at, to_at
from ended
where to_at > from_at
