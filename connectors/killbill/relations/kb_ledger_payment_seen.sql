-- relation: kb_ledger_payment_seen
-- param: tenants integers
-- The variant of kb_ledger_payment for a database without the history of payments. A chargeback that was reversed leaves no trace there.
select payment.record_id as payment_key, payment.invoice_id, payment.type, payment.payment_date as paid_at, payment.amount, 0 as is_reversal
from invoice_payments as payment
where payment.tenant_record_id in (:tenants) and payment.status = 'SUCCESS'
