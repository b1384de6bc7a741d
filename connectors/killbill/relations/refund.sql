-- relation: refund
-- reads:    kb_settlement, kb_payment, kb_account
-- needs:    kb_settlement
-- param:    now timestamp
-- Refunds and chargebacks of paid invoices after their payment, which Kill Bill stores as negative amounts (KB 8.4). If an
-- invoice is paid again after a chargeback, that payment is negative here. Payments of a parent invoice name no invoice of a child, so they are
-- left out. The session sets usage_invoices_only to false for this statement.
select invoice.customer_key, invoice.invoice_id, invoice.currency, payment.payment_date as refunded_at,
  fn.integer(round(-100 * sum(payment.amount), 0)) as amount_cents
from relation.kb_settlement as invoice
join relation.kb_payment as payment on payment.invoice_id = invoice.invoice_id and payment.payment_date > invoice.paid_at
  and payment.payment_date <= :now
join relation.kb_account as account on account.customer_key = invoice.customer_key
group by invoice.customer_key, invoice.invoice_id, invoice.currency, payment.payment_date
