-- relation: ledger_payment
-- reads:    kb_ledger_invoice, kb_ledger_payment
-- param:    now timestamp
-- Payments of invoices of the books on the days of their accounts (R19). Refunds and chargebacks are negative.
with dated as (
  select invoice.customer_key, invoice.invoice_id, invoice.currency, payment.payment_key, payment.is_reversal, payment.type,
    fn.integer(round(100 * payment.amount, 0)) as amount_cents,
    cast(fn.add_seconds(payment.paid_at, invoice.utc_offset_seconds) as date) as posted_on
  from relation.kb_ledger_invoice as invoice
  join relation.kb_ledger_payment as payment on payment.invoice_id = invoice.invoice_id
  where payment.paid_at <= :now
)
select dated.customer_key, case dated.is_reversal when 1 then concat(fn.text(dated.payment_key), '-reversed') else fn.text(dated.payment_key) end as payment_id,
  dated.invoice_id, case dated.type when 'REFUND' then 'refund' when 'CHARGED_BACK' then 'chargeback' else 'payment' end as kind,
  dated.currency, dated.amount_cents, dated.posted_on
from dated
where dated.amount_cents <> 0
