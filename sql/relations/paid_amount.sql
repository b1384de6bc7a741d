-- relation: paid_amount
-- reads:    invoice
-- param:    counts_tax boolean
-- The amounts of paid invoices (D54). Without :counts_tax, their tax is left out.
select invoice.customer_key, invoice.invoice_id, invoice.currency, invoice.paid_at,
  case when :counts_tax = true then invoice.amount_cents else invoice.amount_cents - invoice.tax_cents end as amount_cents
from relation.invoice as invoice
