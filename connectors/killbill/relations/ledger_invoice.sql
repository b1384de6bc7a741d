-- relation: ledger_invoice
-- reads:    kb_ledger_invoice, kb_invoice_number
-- Invoices of the books (R2, R3). The engine has no due days (R17).
select invoice.customer_key, invoice.invoice_id, coalesce(numbered.invoice_number, fn.text(invoice.invoice_key)) as invoice_number,
  invoice.currency, invoice.issued_on, invoice.gone_on, null as due_on
from relation.kb_ledger_invoice as invoice
left join relation.kb_invoice_number as numbered on numbered.invoice_id = invoice.invoice_id
