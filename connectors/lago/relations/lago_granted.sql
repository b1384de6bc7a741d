-- relation: lago_granted
-- Wallet credits that an invoice used and that were given for nothing, in units of the engine.
select invoice.id as invoice_key, invoice.prepaid_granted_credit_amount_cents as amount
from invoices as invoice
where invoice.prepaid_granted_credit_amount_cents > 0
