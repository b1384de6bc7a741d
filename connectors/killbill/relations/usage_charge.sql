-- relation: usage_charge
-- reads:    kb_paid_invoice, kb_account, month_split
-- param:    tenants integers
-- param:    now timestamp
-- Usage charges of paid invoices (D55): one row per USAGE item and calendar month of its service period.
with item_total as (
  select paid.customer_key, item.record_id, item.subscription_id, item.phase_name, item.start_date, paid.currency, paid.paid_at,
    case when item.end_date is null or item.end_date <= item.start_date then 1
      when fn.months_between(item.start_date, item.end_date) not between 1 and 60 then 1
      else fn.months_between(item.start_date, item.end_date) end as month_count,
    fn.integer(round(100 * (item.amount + coalesce(sum(adjustment.amount), 0)), 0)) as cents
  from relation.kb_paid_invoice as paid
  join invoice_items as item on item.invoice_id = paid.invoice_id and item.type = 'USAGE' and item.created_date <= :now
  left join invoice_items as adjustment on adjustment.linked_item_id = item.id and adjustment.type = 'ITEM_ADJ'
    and adjustment.tenant_record_id in (:tenants) and adjustment.created_date <= paid.paid_at
  where item.subscription_id is not null and item.start_date is not null
  group by paid.customer_key, item.record_id, item.subscription_id, item.phase_name, item.start_date, item.end_date, item.amount,
    paid.currency, paid.paid_at
),
share as (
  select item_total.customer_key, item_total.record_id, item_total.subscription_id, item_total.phase_name, item_total.start_date,
    item_total.currency, item_total.paid_at, item_total.cents, item_total.month_count, coalesce(split.month_offset, 0) as month_offset,
    case when item_total.cents >= 0 then fn.int_div(item_total.cents, item_total.month_count)
      else -1 * fn.int_div(item_total.month_count - 1 - item_total.cents, item_total.month_count) end as month_cents
  from item_total
  left join relation.month_split as split on split.month_count = item_total.month_count
)
select share.customer_key, share.record_id, share.subscription_id, share.phase_name, share.currency, share.paid_at,
  case when share.month_offset = 0 then share.start_date
    else cast(fn.add_period(fn.month_start(share.start_date), share.month_offset, 0) as date) end as charge_date,
  cast(fn.add_period(fn.month_start(share.start_date), share.month_offset, 0) as date) as service_month,
  case when share.month_offset = share.month_count - 1 then share.cents - share.month_cents * (share.month_count - 1)
    else share.month_cents end as amount_cents
from share
join relation.kb_account as account on account.customer_key = share.customer_key
