-- relation: ledger_payment
-- reads:    lago_ledger_invoice, lago_ledger_note, lago_receipt, lago_settlement, zone_offset
-- param:    now timestamp
-- Payments of invoices of the books (R19), never before the issue. An invoice may be paid without any payment, if somebody has set its status: its rest
-- then counts at the instant at which it was paid, also after a void. Refunds of credit notes are negative. The engine does not store the amount of
-- a lost dispute, so everything counts that was paid before and not refunded.
with unrecorded as (
  select invoice.invoice_key, settlement.paid_at, invoice.total - coalesce(covered.amount, 0) as amount
  from relation.lago_ledger_invoice as invoice
  join relation.lago_settlement as settlement on settlement.invoice_key = invoice.invoice_key
  left join (
    select settled.invoice_key, sum(settled.amount) as amount
    from (
      select receipt.invoice_key, receipt.amount
      from relation.lago_receipt as receipt
      union all
      select settlement.target_invoice_id, settlement.amount_cents
      from invoice_settlements as settlement
      where fn.text(settlement.settlement_type) = 'credit_note'
    ) as settled
    group by settled.invoice_key
  ) as covered on covered.invoice_key = invoice.invoice_key
  where invoice.payment_status = 1 and invoice.total > coalesce(covered.amount, 0) and settlement.paid_at <= :now
    and (invoice.voided_at is null or settlement.paid_at < invoice.voided_at)
),
moved as (
  select concat(fn.text(receipt.payment_key), ' ', fn.text(receipt.invoice_key)) as payment_id, receipt.invoice_key, 'payment' as kind,
    fn.whole_second(receipt.paid_at) as moved_at, receipt.amount
  from relation.lago_receipt as receipt
  union all
  select concat('paid ', fn.text(unrecorded.invoice_key)), unrecorded.invoice_key, 'payment', unrecorded.paid_at, unrecorded.amount
  from unrecorded
  union all
  select concat('refund ', fn.text(note.note_key)), note.invoice_key, 'refund', note.refunded_at, -note.refund
  from relation.lago_ledger_note as note
  where note.refunded_at is not null
),
lost as (
  select moved.invoice_key, invoice.lost_at, sum(moved.amount) as amount
  from moved
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = moved.invoice_key
  where invoice.lost_at <= :now and moved.moved_at <= invoice.lost_at
  group by moved.invoice_key, invoice.lost_at
),
posted as (
  select moved.payment_id, moved.invoice_key, moved.kind, moved.moved_at, moved.amount
  from moved
  union all
  select concat('dispute ', fn.text(lost.invoice_key)), lost.invoice_key, 'chargeback', lost.lost_at, -lost.amount
  from lost
),
dated as (
  select posted.payment_id, posted.invoice_key, posted.kind, invoice.customer_key, invoice.currency, invoice.issued_on,
    fn.converted(posted.amount, invoice.factor) as amount_cents,
    cast(fn.add_seconds(posted.moved_at, coalesce(zone.offset_seconds, 0)) as date) as moved_on
  from posted
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = posted.invoice_key
  left join relation.zone_offset as zone on zone.time_zone = invoice.time_zone and posted.moved_at >= zone.from_at and posted.moved_at < zone.to_at
)
select dated.customer_key, dated.payment_id, fn.text(dated.invoice_key) as invoice_id, dated.kind, dated.currency, dated.amount_cents,
  case when dated.moved_on > dated.issued_on then dated.moved_on else dated.issued_on end as posted_on
from dated
where dated.amount_cents <> 0
