-- relation: ledger_state
-- reads:    kept_stretch, ledger_day
-- Revenue of each charge at the end of each day of `ledger_day`: recognized, deferred and unbilled (R9, R10). The columns `before_…` have the revenue up
-- to the day before the period, for the charge as known at the end (R12). An amount that is recognized at once belongs to the day on which it is
-- known. Deferred is what is posted and not recognized. A charge that is not posted yet is unbilled. A charge that was posted after `known_day` does not
-- count (R22). A charge whose days are all done has its net, so most rows need no division.
with state as (
  select stretch.*, slot.day_index, slot.day_number, slot.day_before,
    case when stretch.begins_on <= slot.day_number and stretch.next_on > slot.day_number then 1 else 0 end as is_at,
    case when stretch.begins_on <= slot.day_before and stretch.next_on > slot.day_before then 1 else 0 end as is_before
  from relation.kept_stretch as stretch
  join relation.ledger_day as slot on stretch.known_from <= slot.day_number and stretch.known_to > slot.day_number
    and stretch.posted_day <= slot.known_day
  where (stretch.begins_on <= slot.day_number and stretch.next_on > slot.day_number)
    or (stretch.begins_on <= slot.day_before and stretch.next_on > slot.day_before)
),
done as (
  select state.*,
    state.days_before + case when state.day_number < state.starts_on then 0 when state.day_number - state.starts_on >= state.days then state.days
      else state.day_number - state.starts_on + 1 end as done_at,
    state.days_before + case when state.day_before < state.starts_on then 0 when state.day_before - state.starts_on >= state.days then state.days
      else state.day_before - state.starts_on + 1 end as done_before,
    case when state.net_cents < 0 then -1 else 1 end as sign, case when state.net_base_cents < 0 then -1 else 1 end as base_sign,
    case when state.whole = 0 or (state.net_base_cents < 0 and state.charged_cents > 0) or (state.net_base_cents > 0 and state.charged_cents < 0)
      then 1 else 0 end as is_base_at_once
  from state
),
valued as (
  select done.*,
    case when done.is_at = 0 then 0 when done.done_at >= done.whole then done.net_cents
      else fn.int_div(2 * done.net_cents * done.done_at + done.sign * done.whole, 2 * done.whole) end as at_cents,
    case when done.is_before = 0 then 0 when done.whole = 0 then case when done.known_from <= done.day_before then done.net_cents else 0 end
      when done.done_before >= done.whole then done.net_cents
      else fn.int_div(2 * done.net_cents * done.done_before + done.sign * done.whole, 2 * done.whole) end as before_cents,
    case when done.is_at = 0 then 0 when done.is_base_at_once = 1 or done.done_at >= done.whole then done.net_base_cents
      else fn.int_div(2 * done.net_base_cents * done.done_at + done.base_sign * done.whole, 2 * done.whole) end as at_base_cents,
    case when done.is_before = 0 then 0 when done.is_base_at_once = 1 then case when done.known_from <= done.day_before then done.net_base_cents else 0 end
      when done.done_before >= done.whole then done.net_base_cents
      else fn.int_div(2 * done.net_base_cents * done.done_before + done.base_sign * done.whole, 2 * done.whole) end as before_base_cents,
    case when done.is_at = 1 and done.posted_day <= done.day_number then 1 else 0 end as is_posted
  from done
)
select valued.customer_key, valued.charge_id, valued.invoice_id, valued.subscription_id, valued.plan, valued.charge_kind, valued.currency,
  valued.posted_on, valued.posted_day, valued.day_index, valued.unrated, valued.whole, valued.done_at, valued.net_cents, valued.is_at, valued.is_posted,
  case when valued.is_posted = 1 then valued.charged_cents else 0 end as charged_cents,
  case when valued.is_posted = 1 then valued.charged_base_cents else 0 end as charged_base_cents,
  valued.at_cents, valued.at_base_cents, valued.before_cents, valued.before_base_cents,
  case when valued.is_posted = 1 then valued.net_cents - valued.at_cents else 0 end as deferred_cents,
  case when valued.is_posted = 1 then valued.net_base_cents - valued.at_base_cents else 0 end as deferred_base_cents,
  case when valued.is_posted = 1 then 0 else valued.at_cents end as unbilled_cents,
  case when valued.is_posted = 1 then 0 else valued.at_base_cents end as unbilled_base_cents
from valued
