-- relation: invoice
-- Paid invoices that count (D52).
select held.customer_key, held.invoice_id, held.currency, held.paid_at, held.amount_cents
from cached_invoice as held
