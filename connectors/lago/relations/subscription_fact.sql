-- relation: subscription_fact
-- reads:    lago_piece, lago_instant, lago_plan, lago_plan_amount, lago_fixed, lago_waiting, lago_minor_unit
-- param:    now timestamp
-- A subscription is in a trial if its plan has one that is longer than the time since the trial began to count. A later trial of an active
-- subscription makes it free. The engine does not store when it learned of a planned end, so the instant of the last change of the row is used.
-- Subscriptions whose start is planned have the facts of that start. Those whose start is due are pending.
with entered as (
  select piece.customer_key, piece.subscription_id, instant.instant as fact_at, instant.stated_at, piece.own_plan_key, piece.currency,
    piece.trial_anchor, case when piece.planned_end_at > :now then piece.planned_end_at end as planned_end_at,
    coalesce(fixed.cents, 0) as fixed_cents, coalesce(fixed.is_unpriced, 0) as is_unpriced
  from relation.lago_instant as instant
  join relation.lago_piece as piece on piece.subscription_id = instant.subscription_id and piece.from_at = instant.piece_from
  left join relation.lago_fixed as fixed on fixed.subscription_id = instant.subscription_id and fixed.instant = instant.instant
  union all
  select waiting.customer_key, waiting.subscription_id, waiting.from_at, waiting.stated_at, waiting.own_plan_key, waiting.currency,
    waiting.trial_anchor, waiting.planned_end_at, 0, waiting.has_fixed
  from relation.lago_waiting as waiting
  where waiting.is_planned = 1
  union all
  select waiting.customer_key, waiting.subscription_id, fn.whole_second(fn.add_seconds(waiting.trial_anchor, plan.trial_seconds)),
    waiting.stated_at, waiting.own_plan_key, waiting.currency, waiting.trial_anchor, waiting.planned_end_at, 0, waiting.has_fixed
  from relation.lago_waiting as waiting
  join relation.lago_plan as plan on plan.own_plan_key = waiting.own_plan_key
  where waiting.is_planned = 1 and fn.whole_second(fn.add_seconds(waiting.trial_anchor, plan.trial_seconds)) > waiting.from_at
),
valued as (
  select entered.customer_key, entered.subscription_id, entered.fact_at, entered.stated_at, plan.plan_id, plan.plan_key, entered.currency,
    case when plan.trial_seconds > 0 and entered.fact_at < fn.whole_second(fn.add_seconds(entered.trial_anchor, plan.trial_seconds))
      then 1 else 0 end as in_trial,
    case when plan.is_unpriced = 0 and entered.is_unpriced = 0 then case when plan.bills_units_monthly = 1
        then fn.int_div(fn.converted(amount.amount_cents, coalesce(minor.factor, 1)) * plan.month_numerator, plan.month_denominator)
          + entered.fixed_cents
      else fn.int_div((fn.converted(amount.amount_cents, coalesce(minor.factor, 1)) + entered.fixed_cents) * plan.month_numerator,
        plan.month_denominator) end end as full_cents,
    coalesce(plan.usage_until > entered.fact_at, false) as has_usage
  from entered
  join relation.lago_plan as plan on plan.own_plan_key = entered.own_plan_key
  join relation.lago_plan_amount as amount on amount.own_plan_key = entered.own_plan_key and entered.fact_at >= amount.from_at
    and entered.fact_at < amount.to_at
  left join relation.lago_minor_unit as minor on minor.currency = entered.currency
  where entered.fact_at < coalesce(entered.planned_end_at, timestamp '9999-12-31 00:00:00')
),
judged as (
  select valued.*, max(1 - in_trial) over (partition by subscription_id order by fact_at) as was_active
  from valued
),
ended as (
  select piece.customer_key, piece.subscription_id, case when piece.to_at < timestamp '9999-12-31 00:00:00' then piece.to_at
      when piece.planned_end_at > :now then piece.planned_end_at end as end_at,
    case when piece.to_at < timestamp '9999-12-31 00:00:00' then piece.to_at else fn.whole_second(piece.updated_at) end as stated_at,
    case when piece.is_expired = 1 or piece.to_at = timestamp '9999-12-31 00:00:00' then 'expiry' else 'cancel' end as reason,
    piece.own_plan_key, piece.currency
  from relation.lago_piece as piece
  where piece.place_from_end = 1
  union all
  select waiting.customer_key, waiting.subscription_id, waiting.planned_end_at, waiting.stated_at, 'expiry', waiting.own_plan_key, waiting.currency
  from relation.lago_waiting as waiting
  where waiting.is_planned = 1
)
select customer_key, subscription_id, fact_at, stated_at, case when was_active = 1 then 'active' else 'trialing' end as status,
  null as reason, null as cancel_reason, plan_id as plan, plan_key, case when in_trial = 1 then 'trial' else 'evergreen' end as phase_type,
  null as price_list, 1 as quantity, currency, case when was_active = 1 and in_trial = 1 then 0 else full_cents end as monthly_cents,
  has_usage = true and in_trial = 0 as has_usage
from judged
union all
select ended.customer_key, ended.subscription_id, ended.end_at, ended.stated_at, 'ended', ended.reason, null, plan.plan_id, plan.plan_key,
  'evergreen', null, 1, ended.currency, 0, false
from ended
join relation.lago_plan as plan on plan.own_plan_key = ended.own_plan_key
where ended.end_at is not null
union all
select waiting.customer_key, waiting.subscription_id, waiting.from_at, waiting.stated_at, 'pending', null, null, plan.plan_id, plan.plan_key,
  'evergreen', null, 1, waiting.currency, null, false
from relation.lago_waiting as waiting
join relation.lago_plan as plan on plan.own_plan_key = waiting.own_plan_key
where waiting.is_planned = 0
