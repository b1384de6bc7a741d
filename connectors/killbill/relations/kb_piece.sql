-- relation: kb_piece
-- reads:    kb_state, kb_account, kb_rectangle
-- param:    until timestamp
-- param:    window_end timestamp
-- fenced
-- Splits each state at the catalog dates that affect it (D25), and prices each part. `full_cents` is the subscription component
-- that the part has while active (D23), and `unit_cents` is that of a quantity of one. They are null if no price is known (D26).
select state.customer_key, state.subscription_key, account.currency, state.is_transferred, state.phase_code,
  state.list_code, state.quantity, state.is_blocked, state.is_overdue, state.end_rank, state.ended_at,
  case when price.from_at > state.state_at then price.from_at else state.state_at end as piece_from,
  case when mod(state.phase_code, 10) = 1 then 1 else 0 end as is_trial_phase,
  price.plan_key,
  case when mod(state.phase_code, 10) = 1 then 0
    else fn.int_div(fn.integer(round(100 * price.price * state.quantity, 0)) * price.month_numerator, price.month_denominator)
  end as full_cents,
  case when mod(state.phase_code, 10) = 1 then 0
    else fn.int_div(fn.integer(round(100 * price.price, 0)) * price.month_numerator, price.month_denominator)
  end as unit_cents,
  price.billing_period,
  case when price.price_key is null or price.has_usage = true then state.usage_mean_cents else 0 end as full_usage_cents
from relation.kb_state as state
join relation.kb_account as account on account.customer_key = state.customer_key
left join relation.kb_rectangle as price
  on price.price_key = concat(fn.text(account.tenant_key), ' ', coalesce(account.currency, ''), ' ', fn.text(state.phase_code))
  and state.plan_set_at >= price.entered_from and state.plan_set_at < price.entered_to
  and price.to_at > state.state_at and price.from_at < coalesce(state.next_at, timestamp '9999-12-31 00:00:00')
  and price.from_at <= :until and price.from_at <= :window_end
