-- relation: invoice
-- reads:    kb_settlement, kb_account
-- needs:    kb_settlement
-- Paid invoices (D52, D53) with the amount charged up to their payment (D54). The amount is the sum of all items except CBA_ADJ,
-- and except the CREDIT_ADJ of an invoice that only moves account credit. Tax is that of the same items; an adjustment of a tax item is
-- tax. The session sets usage_invoices_only to false for this
-- statement.
with total as (
  select invoice.customer_key, invoice.invoice_id, invoice.currency, invoice.paid_at,
    sum(case when item.type <> 'CBA_ADJ' then item.amount else 0 end) as charged,
    sum(case when item.type = 'TAX' or adjusted.type = 'TAX' then item.amount else 0 end) as tax,
    sum(item.amount) as balance,
    sum(case when item.type in ('CREDIT_ADJ', 'CBA_ADJ') then 0 else 1 end) as other_items,
    sum(case when item.type = 'CREDIT_ADJ' then 1 else 0 end) as credits
  from relation.kb_settlement as invoice
  join invoice_items as item on item.invoice_id = invoice.invoice_id and item.created_date <= invoice.paid_at
  left join invoice_items as adjusted on adjusted.id = case when item.type = 'ITEM_ADJ' then item.linked_item_id end
  group by invoice.customer_key, invoice.invoice_id, invoice.currency, invoice.paid_at
)
select total.customer_key, total.invoice_id, total.currency, total.paid_at,
  fn.integer(round(100 * case when total.other_items = 0 and total.credits > 0 and total.balance = 0 then 0 else total.charged end, 0))
    as amount_cents,
  fn.integer(round(100 * total.tax, 0)) as tax_cents
from total
join relation.kb_account as account on account.customer_key = total.customer_key
