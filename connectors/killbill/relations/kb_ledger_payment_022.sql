-- relation: kb_ledger_payment_022
-- param: tenants integers
-- The variant of kb_ledger_payment for engine 0.22.
select payment.record_id as payment_key, payment.invoice_id, payment.type, payment.payment_date as paid_at, payment.amount, 0 as is_reversal
from invoice_payments as payment
where payment.tenant_record_id in (:tenants) and payment.success = true
