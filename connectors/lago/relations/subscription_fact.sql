-- relation: subscription_fact
-- reads:    lago_piece, lago_instant, lago_plan, lago_plan_amount, lago_fixed, lago_minor_unit, customer
-- param:    now timestamp
-- A subscription is in a trial if its plan has one that is longer than the time since the trial began to count. A later trial of an active
-- subscription makes it free. The engine does not store when it
-- learned of a planned end, so the instant of the last change of the row is used. Subscriptions that
-- the engine has not started yet are pending.
with valued as (
  select piece.customer_key, piece.subscription_id, instant.instant as fact_at, plan.plan_id, plan.plan_key, piece.currency,
    case when plan.trial_seconds > 0 and instant.instant < fn.whole_second(fn.add_seconds(piece.trial_anchor, plan.trial_seconds))
      then 1 else 0 end as in_trial,
    case when plan.is_unpriced = 0 and coalesce(fixed.is_unpriced, 0) = 0 then case when plan.bills_units_monthly = 1
        then fn.int_div(fn.converted(amount.amount_cents, coalesce(minor.factor, 1)) * plan.month_numerator, plan.month_denominator)
          + coalesce(fixed.cents, 0)
      else fn.int_div((fn.converted(amount.amount_cents, coalesce(minor.factor, 1)) + coalesce(fixed.cents, 0)) * plan.month_numerator,
        plan.month_denominator) end end as full_cents,
    coalesce(plan.usage_until > instant.instant, false) as has_usage
  from relation.lago_instant as instant
  join relation.lago_piece as piece on piece.subscription_id = instant.subscription_id and piece.from_at = instant.piece_from
  join relation.lago_plan as plan on plan.own_plan_key = piece.own_plan_key
  join relation.lago_plan_amount as amount on amount.own_plan_key = piece.own_plan_key and instant.instant >= amount.from_at
    and instant.instant < amount.to_at
  left join relation.lago_minor_unit as minor on minor.currency = piece.currency
  left join relation.lago_fixed as fixed on fixed.subscription_id = instant.subscription_id and fixed.instant = instant.instant
  where instant.instant < coalesce(case when piece.planned_end_at > :now then piece.planned_end_at end, timestamp '9999-12-31 00:00:00')
),
judged as (
  select valued.*, max(1 - in_trial) over (partition by subscription_id order by fact_at) as was_active
  from valued
),
ended as (
  select piece.customer_key, piece.subscription_id, piece.updated_at, piece.is_expired, piece.to_at, piece.planned_end_at, piece.currency,
    plan.plan_id, plan.plan_key, case when piece.to_at < timestamp '9999-12-31 00:00:00' then piece.to_at
      when piece.planned_end_at > :now then piece.planned_end_at end as end_at
  from relation.lago_piece as piece
  join relation.lago_plan as plan on plan.own_plan_key = piece.own_plan_key
  where piece.place_from_end = 1
)
select customer_key, subscription_id, fact_at, fact_at as stated_at, case when was_active = 1 then 'active' else 'trialing' end as status,
  null as reason, null as cancel_reason, plan_id as plan, plan_key, case when in_trial = 1 then 'trial' else 'evergreen' end as phase_type,
  null as price_list, 1 as quantity, currency, case when was_active = 1 and in_trial = 1 then 0 else full_cents end as monthly_cents,
  has_usage = true and in_trial = 0 as has_usage
from judged
union all
select customer_key, subscription_id, end_at, case when end_at = to_at then end_at else fn.whole_second(updated_at) end, 'ended',
  case when is_expired = 1 or end_at = planned_end_at then 'expiry' else 'cancel' end, null, plan_id, plan_key, 'evergreen', null, 1, currency,
  0, false
from ended
where end_at is not null
union all
select customer.customer_key, fn.text(waiting.id), fn.whole_second(waiting.subscription_at), fn.whole_second(waiting.created_at), 'pending', null,
  null, plan.plan_id, plan.plan_key, 'evergreen', null, 1, plan.currency, null, false
from subscriptions as waiting
join relation.customer as customer on customer.customer_key = waiting.customer_id
join relation.lago_plan as plan on plan.own_plan_key = waiting.plan_id
where waiting.status = 0 and waiting.previous_subscription_id is null and waiting.subscription_at is not null
