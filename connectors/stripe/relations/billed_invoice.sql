-- relation: billed_invoice
-- reads:    stripe_invoice, stripe_line, customer
-- param:    now timestamp
-- Invoices with the status of Stripe (S22). The total is after discounts and with tax, before the balance of the customer, without the credit notes before payment
-- (S21).
select customer.customer_key, billed.invoice_id, billed.invoice_number, billed.status, billed.currency, cast(billed.created_at as date) as invoice_date,
  billed.created_at, case when billed.status = 'paid' then billed.paid_at end as paid_at, billed.voided_at, billed.total_cents, billed.tax_cents,
  coalesce(metered.cents, 0) as usage_cents, billed.amount_paid_cents, billed.balance_cents
from relation.stripe_invoice as billed
join relation.customer as customer on customer.customer_key = billed.customer_id
left join (
  select line.invoice_id, fn.integer(sum(line.amount_cents)) as cents
  from relation.stripe_line as line
  where line.kind = 'usage'
  group by line.invoice_id
) as metered on metered.invoice_id = billed.invoice_id
where billed.status in ('draft', 'open', 'paid', 'uncollectible', 'void') and billed.created_at <= :now
