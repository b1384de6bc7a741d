-- relation: net_paid_amount
-- reads:    invoice, refund
-- param:    counts_tax boolean
-- The amounts of paid invoices, and what went back to the customer afterwards as negative amounts at their own instants (D54). A refund has
-- the same share of tax as its invoice. Without :counts_tax, tax is left out.
select invoice.customer_key, invoice.invoice_id, invoice.currency, invoice.paid_at,
  case when :counts_tax = true then invoice.amount_cents else invoice.amount_cents - invoice.tax_cents end as amount_cents
from relation.invoice as invoice
union all
select refund.customer_key, refund.invoice_id, refund.currency, refund.refunded_at,
  case when :counts_tax = true or invoice.amount_cents = 0 then -refund.amount_cents
    else fn.int_div(refund.amount_cents * invoice.tax_cents, invoice.amount_cents) - refund.amount_cents end
from relation.refund as refund
join relation.invoice as invoice on invoice.invoice_id = refund.invoice_id
