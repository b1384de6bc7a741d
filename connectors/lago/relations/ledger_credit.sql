-- relation: ledger_credit
-- reads:    lago_granted, lago_ledger_invoice, lago_ledger_fee, lago_ledger_note, lago_ledger_note_part
-- Customer credit (R20): credit notes issue it, and so do invoices on which a customer buys wallet credits (fees of type 3). Invoices apply both.
-- Wallet credits that were given for nothing are a discount when they are used. A credit note on bought wallet credits takes them away.
with applied as (
  select invoice.customer_key, invoice.invoice_key, invoice.currency, invoice.issued_on, invoice.gone_on, side.kind,
    fn.converted(case side.kind when 'notes' then invoice.noted when 'granted' then coalesce(granted.amount, 0)
      else invoice.prepaid - coalesce(granted.amount, 0) end,
      invoice.factor) as cents
  from relation.lago_ledger_invoice as invoice
  left join relation.lago_granted as granted on granted.invoice_key = invoice.invoice_key
  cross join (select 'notes' as kind union all select 'granted' union all select 'bought') as side
)
select applied.customer_key, concat(fn.text(applied.kind), ' ', fn.text(applied.invoice_key)) as credit_id, fn.text(applied.invoice_key) as invoice_id,
  case applied.kind when 'granted' then 'granted' else 'applied' end as kind, applied.currency, -applied.cents as amount_cents,
  applied.issued_on as posted_on, applied.gone_on
from applied
where applied.cents <> 0
union all
select fee.customer_key, fn.text(fee.fee_key), fn.text(fee.invoice_key), 'issued', fee.currency, fee.amount_cents, fee.issued_on, fee.gone_on
from relation.lago_ledger_fee as fee
where fee.fee_type = 3 and fee.amount_cents <> 0
union all
select note.customer_key, fn.text(note.note_key), fn.text(note.invoice_key), 'issued', note.currency, note.credit_cents, note.posted_on, null
from relation.lago_ledger_note as note
where note.credit_cents <> 0
union all
select note.customer_key, concat(fn.text(note.note_key), ' ', fn.text(part.fee_key)), fn.text(note.invoice_key), 'applied', note.currency,
  -part.amount_cents, note.posted_on, null
from relation.lago_ledger_note_part as part
join relation.lago_ledger_note as note on note.note_key = part.note_key
join relation.lago_ledger_fee as fee on fee.fee_key = part.fee_key
where note.is_after_void = 0 and fee.fee_type = 3
