-- relation: billed_invoice
-- reads:    customer
-- param:    now timestamp
-- The items with one number are an invoice, and are paid together.
select customer.customer_key, item.invoice_number as invoice_id, item.invoice_number,
  case when max(case when item.paid_at <= :now then 1 else 0 end) = 1 then 'paid' else 'open' end as status, item.currency,
  min(item.invoiced_on) as invoice_date, min(item.recorded_at) as created_at,
  max(case when item.paid_at <= :now then item.paid_at end) as paid_at,
  min(case when 1 = 0 then item.recorded_at end) as voided_at, fn.integer(sum(item.amount_cents)) as total_cents,
  fn.integer(sum(case when item.kind = 'tax' then item.amount_cents else 0 end)) as tax_cents,
  fn.integer(sum(case when item.kind = 'usage' then item.amount_cents else 0 end)) as usage_cents,
  fn.integer(sum(case when item.paid_at <= :now then item.amount_cents else 0 end)) as amount_paid_cents,
  fn.integer(sum(case when item.paid_at <= :now then 0 else item.amount_cents end)) as balance_cents
from toy_item as item
join relation.customer as customer on customer.customer_key = item.customer_id
where item.recorded_at <= :now
group by item.invoice_number, customer.customer_key, item.currency
