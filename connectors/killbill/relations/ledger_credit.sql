-- relation: ledger_credit
-- reads:    kb_ledger_item
-- Credit granted, and customer credit that is issued and applied (R4, R20).
select item.customer_key, fn.text(item.item_key) as credit_id, item.invoice_id,
  case when item.type = 'CREDIT_ADJ' then 'granted' when item.amount_cents > 0 then 'issued' else 'applied' end as kind,
  item.currency, item.amount_cents, item.posted_on, item.gone_on
from relation.kb_ledger_item as item
where item.type in ('CREDIT_ADJ', 'CBA_ADJ')
