-- relation: charge_part
-- reads:    ledger_charge, ledger_adjustment
-- param:    known_on date
-- param:    one_off text
-- param:    unbilled text
-- Charges and their adjustments that :known_on knows (R22). Each has the service days of the charge (R6, R7), the days on which it counts (R8), and the
-- days that it takes away. An adjustment has the plan, kind and currency of its charge. An adjustment without a charge is a charge of nothing, which
-- is recognized at once. Days are numbers.
with own as (
  select charge.customer_key, charge.charge_id, charge.invoice_id, charge.subscription_id, charge.plan, charge.kind, charge.currency,
    charge.posted_on, charge.gone_on, charge.starts_on, charge.ends_on, charge.amount_cents as charged_cents, 1 as is_charge,
    charge.amount_cents, charge.currency as part_currency, charge.posted_on as part_on, charge.gone_on as part_gone_on, null as repair_from,
    null as repair_to
  from relation.ledger_charge as charge
  where charge.kind <> 'tax'
  union all
  select coalesce(charge.customer_key, adjustment.customer_key),
    coalesce(charge.charge_id, concat('adjustment ', fn.text(adjustment.adjustment_id))), coalesce(charge.invoice_id, adjustment.invoice_id),
    charge.subscription_id, charge.plan, coalesce(charge.kind, adjustment.kind), coalesce(charge.currency, adjustment.currency),
    coalesce(charge.posted_on, adjustment.posted_on),
    case when charge.charge_id is null then adjustment.gone_on else charge.gone_on end, charge.starts_on, charge.ends_on,
    coalesce(charge.amount_cents, 0), case when charge.charge_id is null then 1 else 0 end, adjustment.amount_cents, adjustment.currency,
    adjustment.posted_on, adjustment.gone_on, case when adjustment.is_repair = true then adjustment.starts_on end,
    case when adjustment.is_repair = true then adjustment.ends_on end
  from relation.ledger_adjustment as adjustment
  left join relation.ledger_charge as charge on charge.charge_id = adjustment.charge_id
  where adjustment.kind not in ('tax', 'credit')
),
numbered as (
  select own.*, fn.day_number(own.posted_on) as posted_day, fn.day_number(own.part_on) as part_day,
    case when own.gone_on <= :known_on then fn.day_number(own.gone_on) else 3000000 end as gone_day,
    case when own.part_gone_on <= :known_on then fn.day_number(own.part_gone_on) else 3000000 end as to_day,
    case when own.ends_on > own.starts_on and not (own.kind = 'fixed' and :one_off = 'at_once') then 0 else 1 end as is_one_day,
    case when own.starts_on > own.posted_on then fn.day_number(own.starts_on) else fn.day_number(own.posted_on) end as only_day
  from own
  where own.posted_on <= :known_on and own.part_on <= :known_on
),
served as (
  select numbered.*, case when numbered.is_one_day = 1 then numbered.only_day else fn.day_number(numbered.starts_on) end as first_day,
    case when numbered.is_one_day = 1 then numbered.only_day + 1 else fn.day_number(numbered.ends_on) end as end_day
  from numbered
),
known as (
  select served.*, case when :unbilled = 'accrue' and served.first_day < served.posted_day then served.first_day else served.posted_day end
    as known_day
  from served
)
select known.customer_key, known.charge_id, known.invoice_id, known.subscription_id, known.plan, known.kind as charge_kind, known.currency,
  known.posted_on, known.posted_day, known.charged_cents, known.is_charge, known.first_day, known.end_day, known.gone_day, known.amount_cents,
  known.part_currency, known.part_on,
  case when known.is_charge = 1 or known.part_day < known.known_day then known.known_day else known.part_day end as from_day, known.to_day,
  case when fn.day_number(known.repair_from) > known.first_day then fn.day_number(known.repair_from) else known.first_day end as cut_from,
  case when known.repair_from is null then known.first_day when fn.day_number(known.repair_to) < known.end_day then fn.day_number(known.repair_to)
    else known.end_day end as cut_to
from known
