-- relation: invoice
-- reads:    billed_invoice
-- Paid invoices (D52 to D54), for billing engines whose invoices do not change after payment.
select billed.customer_key, billed.invoice_id, billed.currency, billed.paid_at, billed.total_cents as amount_cents,
  billed.tax_cents
from relation.billed_invoice as billed
where billed.status = 'paid' and billed.paid_at is not null
