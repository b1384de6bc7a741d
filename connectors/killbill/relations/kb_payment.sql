-- relation: kb_payment
-- param:    tenants integers
-- Successful payments, refunds and chargebacks; the last two are stored negative (KB 8.4).
select payment.invoice_id, payment.payment_date, payment.amount
from invoice_payments as payment
where payment.tenant_record_id in (:tenants) and payment.status = 'SUCCESS'
