-- relation: ledger_adjustment
-- reads:    lago_ledger_note, lago_ledger_note_part, lago_ledger_fee, ledger_charge
-- Credit notes lower charges and taxes (R5, R8), and take away no service days. A part that lowers the fee of a wallet is no adjustment, but customer
-- credit (ledger_credit.sql).
with part as (
  select note.note_key, note.invoice_key, note.customer_key, note.currency, note.posted_on, part.fee_key, part.is_tax, part.amount_cents,
    case when part.is_tax = 1 then concat('tax ', fn.text(note.invoice_key)) else fn.text(part.fee_key) end as charge_id
  from relation.lago_ledger_note_part as part
  join relation.lago_ledger_note as note on note.note_key = part.note_key
  left join relation.lago_ledger_fee as fee on fee.fee_key = part.fee_key
  where note.is_after_void = 0 and coalesce(fee.fee_type, 0) <> 3
)
select part.customer_key, case when part.is_tax = 1 then concat(fn.text(part.note_key), ' tax') when part.fee_key is null then concat(fn.text(part.note_key), ' rest')
    else concat(fn.text(part.note_key), ' ', fn.text(part.fee_key)) end as adjustment_id, fn.text(part.invoice_key) as invoice_id, charge.charge_id, charge.subscription_id, charge.plan,
  coalesce(charge.kind, case when part.is_tax = 1 then 'tax' else 'one_off' end) as kind, part.currency, -part.amount_cents as amount_cents,
  part.posted_on, case when 1 = 0 then part.posted_on end as gone_on, false as is_repair, case when 1 = 0 then part.posted_on end as starts_on,
  case when 1 = 0 then part.posted_on end as ends_on
from part
left join relation.ledger_charge as charge on charge.charge_id = part.charge_id
