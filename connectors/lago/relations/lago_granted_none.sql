-- relation: lago_granted_none
-- Takes the place of lago_granted in a database that does not say which wallet credits an invoice used: they count as bought.
select invoice.id as invoice_key, invoice.prepaid_credit_amount_cents as amount
from invoices as invoice
where 1 = 0
