-- relation: refund
-- reads:    lago_settlement, billed_invoice, lago_minor_unit
-- needs:    lago_settlement
-- param:    now timestamp
-- Money that went back to customers after they had paid an invoice: the refunds of its credit notes, and the rest of an invoice whose dispute was lost.
-- The part of a credit note that becomes credit is no refund. The engine says when a dispute was lost, and not its amount, so the invoice counts
-- in full.
with paid as (
  select settlement.invoice_key, billed.customer_key, billed.invoice_id, billed.currency, billed.paid_at, billed.total_cents,
    fn.whole_second(invoice.payment_dispute_lost_at) as lost_at
  from relation.lago_settlement as settlement
  join relation.billed_invoice as billed on billed.invoice_id = fn.text(settlement.invoice_key)
  join invoices as invoice on invoice.id = settlement.invoice_key
  where billed.status = 'paid'
),
given as (
  select paid.customer_key, paid.invoice_id, paid.currency, fn.whole_second(note.refunded_at) as refunded_at,
    sum(fn.converted(note.refund_amount_cents, coalesce(minor.factor, 1))) as cents
  from credit_notes as note
  join paid on paid.invoice_key = note.invoice_id
  left join relation.lago_minor_unit as minor on minor.currency = paid.currency
  where note.status = 1 and note.refund_status = 1 and note.refund_amount_cents > 0 and fn.whole_second(note.refunded_at) > paid.paid_at
    and note.refunded_at <= :now
  group by paid.customer_key, paid.invoice_id, paid.currency, fn.whole_second(note.refunded_at)
),
lost as (
  select paid.customer_key, paid.invoice_id, paid.currency, paid.lost_at as refunded_at, paid.total_cents - coalesce(sum(given.cents), 0) as cents
  from paid
  left join given on given.invoice_id = paid.invoice_id and given.refunded_at <= paid.lost_at
  where paid.lost_at > paid.paid_at and paid.lost_at <= :now
  group by paid.customer_key, paid.invoice_id, paid.currency, paid.lost_at, paid.total_cents
),
returned as (
  select customer_key, invoice_id, currency, refunded_at, cents
  from given
  union all
  select customer_key, invoice_id, currency, refunded_at, cents
  from lost
  where cents > 0
)
select customer_key, invoice_id, currency, refunded_at, fn.integer(sum(cents)) as amount_cents
from returned
group by customer_key, invoice_id, currency, refunded_at
