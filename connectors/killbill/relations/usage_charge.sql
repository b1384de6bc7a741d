-- relation: usage_charge
-- reads:    kb_settlement, kb_account, month_step
-- needs:    kb_settlement
-- param:    tenants integers
-- Usage charges of paid invoices (D55): one row per USAGE item and calendar month of its service period, of any length. A period
-- of more than 60 months is split into stretches of 60. Within a group all rows belong to one item. `max` picks the item's value,
-- so that the database does not group by text. The phase joins at the end, because a group with its text takes much memory.
with adjusted as (
  select item.record_id, max(settled.customer_key) as customer_key, max(item.subscription_id) as subscription_id,
    max(item.start_date) as start_date, max(settled.currency) as currency, settled.paid_at,
    case when max(item.end_date) is null or max(item.end_date) <= max(item.start_date) then 1
      when fn.months_between(max(item.start_date), max(item.end_date)) < 1 then 1
      else fn.months_between(max(item.start_date), max(item.end_date)) end as month_count,
    fn.integer(round(100 * (max(item.amount) + coalesce(sum(adjustment.amount), 0)), 0)) as cents
  from relation.kb_settlement as settled
  join invoice_items as item on item.invoice_id = settled.invoice_id and item.created_date <= settled.paid_at
  left join (
    select linked.linked_item_id, linked.amount, linked.created_date
    from invoice_items as linked
    where linked.tenant_record_id in (:tenants) and linked.type = 'ITEM_ADJ'
  ) as adjustment on adjustment.linked_item_id = item.id and adjustment.created_date <= settled.paid_at
  where item.type = 'USAGE' and item.subscription_id is not null and item.start_date is not null
  group by item.record_id, settled.paid_at
),
stretched as (
  select adjusted.*, coalesce(60 * stretch.step, 0) as first_offset,
    case when stretch.step is null then adjusted.month_count
      when adjusted.month_count - 60 * stretch.step > 60 then 60 else adjusted.month_count - 60 * stretch.step end as span
  from adjusted
  left join relation.month_step as stretch on stretch.span = case when adjusted.month_count > 3600 then 0
      when adjusted.month_count > 60 then fn.int_div(adjusted.month_count + 59, 60) end
    and 60 * stretch.step < adjusted.month_count
),
share as (
  select stretched.*, stretched.first_offset + month_step.step as month_offset,
    case when stretched.month_count = 1 then stretched.cents
      when stretched.cents >= 0 then fn.int_div(stretched.cents, stretched.month_count)
      else -1 * fn.int_div(stretched.month_count - 1 - stretched.cents, stretched.month_count) end as month_cents
  from stretched
  join relation.month_step as month_step on month_step.span = stretched.span
)
select share.customer_key, share.record_id as charge_id, share.subscription_id,
  substr(regexp_replace(item.phase_name, '-(trial|discount|fixedterm|evergreen)$', ''), 1, 255) as plan, share.currency, share.paid_at,
  case when share.month_offset = 0 then share.start_date
    else cast(fn.add_period(fn.month_start(share.start_date), share.month_offset, 0) as date) end as charge_date,
  case when share.month_offset = 0 then fn.month_start(share.start_date)
    else cast(fn.add_period(fn.month_start(share.start_date), share.month_offset, 0) as date) end as service_month,
  case when share.month_offset = share.month_count - 1 then share.cents - share.month_cents * (share.month_count - 1)
    else share.month_cents end as amount_cents
from share
join relation.kb_account as account on account.customer_key = share.customer_key
left join invoice_items as item on item.record_id = share.record_id
