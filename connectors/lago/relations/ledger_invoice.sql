-- relation: ledger_invoice
-- reads:    lago_ledger_invoice
-- Invoices of the books (R2, R3), with the due days of the engine (R17).
select invoice.customer_key, fn.text(invoice.invoice_key) as invoice_id, invoice.invoice_number, invoice.currency, invoice.issued_on,
  invoice.gone_on, invoice.due_on
from relation.lago_ledger_invoice as invoice
