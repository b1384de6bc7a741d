-- metric: rows
-- query:  invoices
-- reads:  billed_invoice, customer
-- param:  first_day date
-- param:  last_day date
-- unsliced
-- Invoices with an invoice date from :first_day to :last_day, inclusive, in their current state.
select customer.source_id, fact.invoice_id, fact.invoice_number, customer.customer_id, fact.status, fact.currency, fact.invoice_date,
  fact.created_at, fact.paid_at, fact.voided_at, fact.total_cents, fact.tax_cents, fact.amount_paid_cents, fact.balance_cents
from relation.billed_invoice as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
where fact.invoice_date >= :first_day and fact.invoice_date <= :last_day
