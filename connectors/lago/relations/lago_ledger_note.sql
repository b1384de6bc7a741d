-- relation: lago_ledger_note
-- reads:    lago_ledger_invoice, zone_offset
-- param:    now timestamp
-- Finalized credit notes of invoices of the books, in hundredths. A note is posted on its local day, and outlives the void of its invoice. One that came with
-- the void or after it gives back money, and adjusts nothing, because the void has taken the charges back.
with noted as (
  select note.id as note_key, invoice.invoice_key, invoice.customer_key, invoice.currency, invoice.factor, invoice.time_zone, invoice.issued_on, invoice.tax,
    case when note.created_at >= invoice.voided_at then 1 else 0 end as is_after_void, fn.whole_second(note.created_at) as noted_at,
    case when note.refund_status = 1 and note.refunded_at <= :now then fn.whole_second(note.refunded_at) end as refunded_at,
    note.credit_amount_cents as credit, note.refund_amount_cents as refund, note.offset_amount_cents as settled
  from credit_notes as note
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = note.invoice_id
  where note.status = 1 and note.created_at <= :now
),
dated as (
  select noted.*, cast(fn.add_seconds(noted.noted_at, coalesce(zone.offset_seconds, 0)) as date) as noted_on
  from noted
  left join relation.zone_offset as zone on zone.time_zone = noted.time_zone and noted.noted_at >= zone.from_at and noted.noted_at < zone.to_at
)
select dated.note_key, dated.invoice_key, dated.customer_key, dated.currency, dated.factor, dated.is_after_void, dated.refunded_at, dated.refund,
  case when dated.noted_on > dated.issued_on then dated.noted_on else dated.issued_on end as posted_on,
  fn.converted(dated.tax, dated.factor) as invoice_tax_cents,
  fn.converted(dated.credit, dated.factor) as credit_cents,
  fn.converted(dated.credit, dated.factor) + fn.converted(dated.refund, dated.factor) + fn.converted(dated.settled, dated.factor) as total_cents
from dated
