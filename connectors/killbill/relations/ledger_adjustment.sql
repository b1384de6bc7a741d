-- relation: ledger_adjustment
-- reads:    kb_ledger_item
-- Repairs and item adjustments, each with the charge that it changes (R4, R5). The charge is null if the item is missing or not in the books. A
-- repair takes away the days from its start to its end (R6). An adjustment of a summary is a transfer (R16).
select item.customer_key, fn.text(item.item_key) as adjustment_id, item.invoice_id,
  case when charge.type in ('RECURRING', 'USAGE', 'FIXED', 'EXTERNAL_CHARGE', 'TAX') then fn.text(charge.item_key) end as charge_id,
  case charge.type when 'USAGE' then 'usage' when 'FIXED' then 'fixed' when 'TAX' then 'tax' when 'EXTERNAL_CHARGE' then 'one_off'
    when 'CREDIT_ADJ' then 'credit' when 'RECURRING' then 'recurring'
    else case item.type when 'REPAIR_ADJ' then 'recurring' else 'one_off' end end as kind,
  charge.subscription_id, substr(regexp_replace(charge.phase_name, '-(trial|discount|fixedterm|evergreen)$', ''), 1, 255) as plan,
  item.currency, item.amount_cents, item.posted_on, item.gone_on,
  case when item.type = 'REPAIR_ADJ' then true else false end as is_repair,
  case when item.type = 'REPAIR_ADJ' then item.start_date end as starts_on, case when item.type = 'REPAIR_ADJ' then item.end_date end as ends_on
from relation.kb_ledger_item as item
left join relation.kb_ledger_item as charge on charge.item_id = item.linked_item_id
where item.type in ('REPAIR_ADJ', 'ITEM_ADJ') and coalesce(charge.type, '') <> 'PARENT_SUMMARY'
