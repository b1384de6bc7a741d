-- relation: kb_payment
-- param:    tenants integers
-- Successful payments, refunds and chargebacks. Kill Bill stores refunds and chargebacks as negative amounts (KB 8.4).
select payment.invoice_id, payment.payment_date, payment.amount
from invoice_payments as payment
where payment.tenant_record_id in (:tenants) and payment.status = 'SUCCESS'
