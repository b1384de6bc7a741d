-- metric: ledger
-- query:  verify_charges
-- reads:  ledger_charge, ledger_adjustment, ledger_state
-- unsliced
-- param:  day date
-- Charges of the books at the end of :day, the only day of `ledger_day`. Those that break a rule have a row each, all others are one row. A charge is
-- neither deferred nor unbilled with the other sign (J3). A charge whose service days are over has recognized what it and its adjustments charged (J11).
with part as (
  select charge.charge_id, charge.amount_cents as charged_cents, 0 as recognized_cents, 1 as is_over, 0 as is_below
  from relation.ledger_charge as charge
  where charge.kind <> 'tax' and charge.posted_on <= :day and coalesce(charge.gone_on, date '9999-12-31') > :day
    and coalesce(charge.starts_on, charge.posted_on) <= :day and coalesce(charge.ends_on, charge.posted_on) <= :day
  union all
  select adjustment.charge_id, adjustment.amount_cents, 0, 0, 0
  from relation.ledger_adjustment as adjustment
  where adjustment.charge_id is not null and adjustment.kind not in ('tax', 'credit') and adjustment.posted_on <= :day
    and coalesce(adjustment.gone_on, date '9999-12-31') > :day
  union all
  select state.charge_id, 0, state.at_cents, 0,
    case when state.is_posted = 1 and state.charged_cents >= 0 and state.deferred_cents < 0 then 1
      when state.is_posted = 1 and state.charged_cents < 0 and state.deferred_cents > 0 then 1
      when state.unbilled_cents < 0 and state.net_cents >= 0 then 1 when state.unbilled_cents > 0 and state.net_cents <= 0 then 1 else 0 end
  from relation.ledger_state as state
  where state.is_at = 1
),
charge as (
  select part.charge_id, sum(part.charged_cents) as charged_cents, sum(part.recognized_cents) as recognized_cents, max(part.is_over) as is_over,
    max(part.is_below) as is_below
  from part
  group by part.charge_id
),
judged as (
  select charge.*, case when charge.is_below = 1 then 'below'
    when charge.is_over = 1 and charge.charged_cents <> charge.recognized_cents then 'rest' else 'none' end as fault
  from charge
)
select judged.fault, case when judged.fault <> 'none' then judged.charge_id end as fault_id, count(*) as compared_count,
  sum(judged.charged_cents) as expected_sum, sum(judged.recognized_cents) as actual_sum
from judged
group by judged.fault, case when judged.fault <> 'none' then judged.charge_id end
