-- relation: kb_recurring_item
-- reads:    kb_account, kb_listed_price
-- param:    tenants integers
-- param:    now timestamp
-- Recurring items of the accounts that count, with their adjustments added up. Items of void invoices do not count, and neither do
-- their adjustments. The catalog version is the one that the item names (KB 1.3). Its price gives the billing period and the
-- quantity: the engine stores price times quantity as the rate (KB 8.2). The quantity divides whole cents, because DuckDB rounds decimals first.
with adjusted as (
  select adjustment.linked_item_id, sum(adjustment.amount) as amount,
    max(case when adjustment.type = 'REPAIR_ADJ' then 1 else 0 end) as is_repaired
  from invoice_items as adjustment
  join invoices as invoice on invoice.id = adjustment.invoice_id
  where adjustment.tenant_record_id in (:tenants) and adjustment.type in ('REPAIR_ADJ', 'ITEM_ADJ')
    and adjustment.created_date <= :now and invoice.status <> 'VOID'
  group by adjustment.linked_item_id
)
select item.record_id as item_key, item.id as item_id, invoice.record_id as invoice_key, invoice.account_record_id as customer_key,
  item.subscription_id, invoice.currency, case when invoice.status = 'DRAFT' then 'draft' else 'committed' end as invoice_status,
  item.start_date, item.end_date, coalesce(adjusted.is_repaired, 0) as is_repaired,
  fn.integer(round(100 * (item.amount + coalesce(adjusted.amount, 0)), 0)) as amount_cents,
  cast(item.catalog_effective_date as date) as priced_on,
  fn.int_div(fn.integer(round(100 * item.rate, 0)) * price.month_numerator, price.month_denominator) as monthly_cents,
  case when price.price >= 0.01
      and fn.int_div(fn.integer(round(100 * item.rate, 0)), fn.integer(round(100 * price.price, 0))) * price.price = item.rate
    then fn.int_div(fn.integer(round(100 * item.rate, 0)), fn.integer(round(100 * price.price, 0))) end as quantity
from invoice_items as item
join invoices as invoice on invoice.id = item.invoice_id
join relation.kb_account as account on account.customer_key = invoice.account_record_id
left join adjusted on adjusted.linked_item_id = item.id
left join relation.kb_listed_price as price
  on price.price_key = concat(fn.text(account.tenant_key), ' ', coalesce(account.currency, ''), ' ', coalesce(item.phase_name, ''))
  and coalesce(item.catalog_effective_date, item.created_date) >= price.entered_from
  and coalesce(item.catalog_effective_date, item.created_date) < price.entered_to
  and coalesce(item.catalog_effective_date, item.created_date) >= price.from_at
  and coalesce(item.catalog_effective_date, item.created_date) < price.to_at
where item.tenant_record_id in (:tenants) and item.type = 'RECURRING' and item.rate <> 0 and item.created_date <= :now
  and item.subscription_id is not null and item.end_date > item.start_date and invoice.status <> 'VOID'
