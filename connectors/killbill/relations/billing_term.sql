-- relation: billing_term
-- reads:    kb_state, kb_account, kb_phase, kb_price_list, kb_rectangle, kb_billing_rule, kb_billing_day, kb_reverted_quantity, customer_zone
-- param:    now timestamp
-- param:    until timestamp
-- param:    window_end timestamp
-- The terms of running and coming subscriptions, as the engine bills them. A term begins where something about its charges changes, so payments of
-- usage begin none. Blocked stretches are no terms. A quantity that the engine loses at a price date is not billed (KB 3.5). The billing day is
-- that of the newest BCD_UPDATE, else that of the account. Else it is a local day: that of the first
-- phase with a price in the first plan of the account, bundle or subscription.
with priced as (
  select state.customer_key, subscription.record_id as subscription_key, subscription.id as subscription_id, subscription.bundle_id,
    subscription.category, account.currency, state.phase_code, state.list_code, state.plan_set_at, state.is_blocked, state.ended_at, state.next_at,
    state.usage_mean_cents, state.quantity as agreed_quantity, price.price, price.plan_key, price.month_numerator, price.month_denominator,
    price.has_usage, price.in_arrears, price.price_key,
    case when price.from_at > state.state_at then price.from_at else state.state_at end as priced_from
  from relation.kb_state as state
  join subscriptions as subscription on subscription.record_id = state.subscription_key
  join relation.kb_account as account on account.customer_key = state.customer_key
  left join relation.kb_rectangle as price
    on price.price_key = concat(fn.text(account.tenant_key), ' ', coalesce(account.currency, ''), ' ', fn.text(state.phase_code))
    and state.plan_set_at >= price.entered_from and state.plan_set_at < price.entered_to
    and price.to_at > state.state_at and price.from_at < coalesce(state.next_at, timestamp '9999-12-31 00:00:00')
    and price.from_at <= :until and price.from_at <= :window_end
),
piece as (
  select priced.*, lead(priced.priced_from) over (partition by priced.subscription_key order by priced.priced_from) as next_piece_at
  from priced
),
dated as (
  select piece.*, own.billing_day as own_day,
    case when own.from_at > piece.priced_from then own.from_at else piece.priced_from end as piece_from
  from piece
  left join relation.kb_billing_day as own on own.subscription_id = piece.subscription_id and own.to_at > piece.priced_from
    and own.from_at < coalesce(piece.next_piece_at, piece.ended_at, timestamp '9999-12-31 00:00:00')
),
ruled as (
  select dated.*, coalesce(rule.fixed_price, 0) as fixed_price, coalesce(rule.alignment, 'ACCOUNT') as alignment,
    coalesce(lost.quantity, dated.agreed_quantity) as quantity,
    fn.add_period(dated.piece_from, coalesce(rule.lead_months, 0), coalesce(rule.lead_days, 0)) as led_to
  from dated
  left join relation.kb_billing_rule as rule on rule.price_key = dated.price_key
    and dated.plan_set_at >= rule.entered_from and dated.plan_set_at < rule.entered_to
    and dated.piece_from >= rule.from_at and dated.piece_from < rule.to_at
  left join relation.kb_reverted_quantity as lost on lost.subscription_id = dated.subscription_id
    and dated.piece_from >= lost.valid_from and dated.piece_from < coalesce(lost.valid_to, timestamp '9999-12-31 00:00:00')
),
charged as (
  select ruled.*, fn.integer(round(1000000 * ruled.price * ruled.quantity, 0)) as period_micros,
    fn.integer(round(1000000 * ruled.fixed_price * ruled.quantity, 0)) as fixed_micros,
    case when ruled.price_key is null or ruled.has_usage = true then ruled.usage_mean_cents else 0 end as usage_cents,
    first_value(ruled.led_to) over (partition by ruled.subscription_key order by ruled.piece_from) as own_first_at
  from ruled
),
anchored as (
  select charged.*,
    min(case when charged.category = 'BASE' then charged.own_first_at end) over (partition by charged.bundle_id) as base_first_at,
    min(case when charged.alignment = 'ACCOUNT' then charged.own_first_at end) over (partition by charged.customer_key) as account_first_at
  from charged
),
compared as (
  select charged.*,
    lead(charged.piece_from) over w as next_from,
    case when lag(charged.phase_code) over w = charged.phase_code and lag(charged.plan_set_at) over w = charged.plan_set_at then 0 else 1 end as is_phase,
    case when lag(charged.phase_code) over w = charged.phase_code and lag(charged.plan_set_at) over w = charged.plan_set_at
        and lag(charged.is_blocked) over w = charged.is_blocked and lag(charged.quantity) over w = charged.quantity
        and coalesce(lag(charged.period_micros) over w, -1) = coalesce(charged.period_micros, -1)
        and coalesce(lag(charged.own_day) over w, 0) = coalesce(charged.own_day, 0) then 0 else 1 end as is_term
  from anchored as charged
  window w as (partition by charged.subscription_key order by charged.piece_from)
),
stretched as (
  select compared.*, max(case when compared.is_term = 1 then compared.piece_from end) over w as term_from,
    max(case when compared.is_phase = 1 then compared.piece_from end) over w as phase_from,
    lead(compared.is_term) over w as next_is_term
  from compared
  window w as (partition by compared.subscription_key order by compared.piece_from)
)
select stretched.customer_key, stretched.subscription_id, stretched.term_from, coalesce(stretched.next_from, stretched.ended_at) as term_to,
  phase.plan, stretched.plan_key,
  case mod(stretched.phase_code, 10) when 1 then 'trial' when 2 then 'discount' when 3 then 'fixedterm' when 4 then 'evergreen' end as phase_type,
  list.price_list_name as price_list, stretched.quantity, stretched.currency, stretched.period_micros,
  case when stretched.month_numerator = 1 then stretched.month_denominator else 0 end as period_months,
  case when stretched.month_numerator > 1
    then fn.int_div(365 * stretched.month_denominator, 12 * stretched.month_numerator) else 0 end as period_days,
  coalesce(stretched.in_arrears, false) as in_arrears,
  case when stretched.phase_from = stretched.term_from then stretched.fixed_micros else 0 end as fixed_micros, stretched.usage_cents,
  coalesce(stretched.own_day, case when stretched.alignment = 'ACCOUNT' and account.billing_cycle_day_local > 0
    then account.billing_cycle_day_local end) as billing_day,
  cast(fn.add_seconds(
    case stretched.alignment when 'SUBSCRIPTION' then stretched.own_first_at when 'BUNDLE' then coalesce(stretched.base_first_at, stretched.own_first_at)
      else stretched.account_first_at end, coalesce(zone.utc_offset_seconds, 0)) as date) as anchored_on
from stretched
join accounts as account on account.record_id = stretched.customer_key
left join relation.customer_zone as zone on zone.customer_key = stretched.customer_key
left join relation.kb_phase as phase on phase.phase_code = stretched.phase_code
left join relation.kb_price_list as list on list.list_code = stretched.list_code
where coalesce(stretched.next_is_term, 1) = 1 and stretched.is_blocked = 0
  and coalesce(stretched.next_from, stretched.ended_at, timestamp '9999-12-31 00:00:00') > fn.add_period(:now, 0, -2)
