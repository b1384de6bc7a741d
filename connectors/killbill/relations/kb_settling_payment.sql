-- relation: kb_settling_payment
-- param:    tenants integers
-- The rows of kb_payment under a second name. MariaDB does not find a relation that two others share below a subquery in a condition.
-- Successful payments, refunds and chargebacks. Kill Bill stores refunds and chargebacks as negative amounts (KB 8.4).
select payment.invoice_id, payment.payment_date, payment.amount
from invoice_payments as payment
where payment.tenant_record_id in (:tenants) and payment.status = 'SUCCESS'
