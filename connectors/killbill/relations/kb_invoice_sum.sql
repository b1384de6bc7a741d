-- relation: kb_invoice_sum
-- reads:    kb_payment
-- param:    tenants integers
-- param:    now timestamp
-- Sums of each invoice's items and successful payments (KB 8.2, 8.3). An adjustment counts under the type of the item that it
-- adjusts. `charged` is 0 for an invoice that only moves account credit.
with entry as (
  select item.invoice_id, item.type, case when item.type = 'ITEM_ADJ' then adjusted.type else item.type end as charged_type,
    item.amount, 0 as paid
  from invoice_items as item
  left join invoice_items as adjusted on adjusted.id = case when item.type = 'ITEM_ADJ' then item.linked_item_id end
  where item.tenant_record_id in (:tenants) and item.created_date <= :now
  union all
  select payment.invoice_id, 'PAYMENT', 'PAYMENT', 0, payment.amount
  from relation.kb_payment as payment
  where payment.payment_date <= :now
),
total as (
  select invoice_id, sum(amount) as item_sum, sum(paid) as paid,
    sum(case when type <> 'CBA_ADJ' then amount else 0 end) as charged,
    sum(case when charged_type = 'TAX' then amount else 0 end) as tax,
    sum(case when charged_type = 'USAGE' then amount else 0 end) as charged_usage,
    sum(case when type in ('CREDIT_ADJ', 'CBA_ADJ', 'PAYMENT') then 0 else 1 end) as other_items,
    sum(case when type = 'CREDIT_ADJ' then 1 else 0 end) as credits
  from entry
  group by invoice_id
)
select invoice_id, item_sum - paid as balance, paid, tax, charged_usage,
  case when other_items = 0 and credits > 0 and item_sum = 0 then 0 else charged end as charged
from total
