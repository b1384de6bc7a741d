-- relation: ledger_invoice
-- reads:    kb_ledger_invoice
-- Invoices of the books (R2, R3). The engine has no due days (R17).
select invoice.customer_key, invoice.invoice_id, invoice.currency, invoice.issued_on, invoice.gone_on, null as due_on
from relation.kb_ledger_invoice as invoice
