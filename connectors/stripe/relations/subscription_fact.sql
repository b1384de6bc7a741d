-- relation: subscription_fact
-- reads:    stripe_life, stripe_piece
-- param:    now timestamp
-- Every instant at which a value of a subscription may change, with all values from then on. The amount is the sum over the items in force (S10), the plan
-- that of the licensed item that began first, then of a metered one (S14). Planned are ends of trials, known from the start on, and planned cancellations.
with life as (
  select known.*, coalesce(known.ended_at, case when known.planned_end_at > :now then known.planned_end_at end,
      timestamp '9999-12-31 00:00:00') as final_at
  from relation.stripe_life as known
),
entered as (
  select piece.subscription_id, piece.from_at as fact_at from relation.stripe_piece as piece
  union
  select piece.subscription_id, piece.to_at from relation.stripe_piece as piece
  union
  select life.subscription_id, case moment.kind when 'start' then life.started_at when 'activation' then life.activated_at
      when 'pause' then life.paused_at when 'free' then life.free_from else life.free_to end
  from life
  cross join (select 'start' as kind union all select 'activation' union all select 'pause' union all select 'free' union all select 'charged') as moment
),
instant as (
  select entered.subscription_id, entered.fact_at
  from entered
  join life on life.subscription_id = entered.subscription_id
  where entered.fact_at >= life.started_at and entered.fact_at < life.final_at and entered.fact_at < timestamp '9999-12-31 00:00:00'
),
held as (
  select instant.subscription_id, instant.fact_at, piece.price_id, piece.quantity, piece.item_id,
    row_number() over (partition by instant.subscription_id, instant.fact_at order by piece.is_metered, piece.began_at, piece.item_id) as place,
    sum(piece.monthly_cents) over (partition by instant.subscription_id, instant.fact_at) as cents,
    max(case when piece.item_id is not null and piece.monthly_cents is null then 1 else 0 end)
      over (partition by instant.subscription_id, instant.fact_at) as is_unpriced,
    max(piece.is_metered) over (partition by instant.subscription_id, instant.fact_at) as is_metered
  from instant
  left join relation.stripe_piece as piece on piece.subscription_id = instant.subscription_id and piece.from_at <= instant.fact_at
    and piece.to_at > instant.fact_at
),
counted as (
  select held.*, sum(case when price_id is null then 0 else 1 end) over (partition by subscription_id order by fact_at) as plan_number
  from held
  where place = 1
),
carried as (
  select counted.*, max(price_id) over p as plan, max(quantity) over p as plan_quantity
  from counted
  window p as (partition by subscription_id, plan_number)
),
valued as (
  select life.customer_key, carried.subscription_id, carried.fact_at,
    case when carried.fact_at = life.activated_at and life.activated_at = life.trial_ended_at then life.started_at else carried.fact_at end as stated_at,
    case when life.activated_at is null or carried.fact_at < life.activated_at then 'trialing'
      when carried.fact_at >= life.paused_at then 'paused' else 'active' end as status,
    case when carried.fact_at >= life.free_from and carried.fact_at < life.free_to then 1 else 0 end as is_free,
    carried.plan, carried.plan_quantity, life.currency, case when carried.is_unpriced = 0 then coalesce(carried.cents, 0) end as cents,
    coalesce(carried.is_metered, 0) as is_metered
  from carried
  join life on life.subscription_id = carried.subscription_id
  where carried.plan is not null
),
closed as (
  select valued.*, life.final_at, life.ended_at, life.requested_at, life.synced_at, life.cancel_reason,
    row_number() over (partition by valued.subscription_id order by valued.fact_at desc) as place_from_end
  from valued
  join life on life.subscription_id = valued.subscription_id
)
select customer_key, subscription_id, fact_at, stated_at, status, case when status = 'paused' then 'overdue' end as reason, null as cancel_reason,
  plan, plan as plan_key, case when status = 'trialing' or is_free = 1 then 'trial' else 'evergreen' end as phase_type, null as price_list,
  plan_quantity as quantity, currency, case when is_free = 1 then 0 else fn.integer(cents) end as monthly_cents, is_metered = 1 as has_usage
from valued
union all
select customer_key, subscription_id, final_at, coalesce(case when ended_at is null or requested_at < final_at then requested_at end, ended_at, synced_at),
  'ended', 'cancel', cancel_reason, plan, plan, 'evergreen', null, plan_quantity, currency, 0, false
from closed
where place_from_end = 1 and final_at < timestamp '9999-12-31 00:00:00'
