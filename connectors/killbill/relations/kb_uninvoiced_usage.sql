-- relation: kb_uninvoiced_usage
-- param:    tenants integers
-- param:    now timestamp
-- Usage of the last year that no item bills: it is older than 62 days, and no USAGE item of the subscription contains its day. Items of void
-- invoices do not count.
with recorded as (
  select usage_row.account_record_id, usage_row.subscription_id, cast(usage_row.record_date as date) as used_on
  from rolled_up_usage as usage_row
  where usage_row.tenant_record_id in (:tenants) and usage_row.created_date <= :now and usage_row.amount > 0
    and usage_row.record_date >= fn.add_period(:now, -12, 0) and usage_row.record_date < fn.add_period(:now, 0, -62)
  group by usage_row.account_record_id, usage_row.subscription_id, cast(usage_row.record_date as date)
),
charged as (
  select item.subscription_id, item.start_date, item.end_date
  from invoice_items as item
  join invoices as invoice on invoice.id = item.invoice_id
  where item.tenant_record_id in (:tenants) and item.type = 'USAGE' and item.created_date <= :now and invoice.status <> 'VOID'
    and item.end_date >= cast(fn.add_period(:now, -12, 0) as date)
)
select recorded.account_record_id as customer_key, recorded.subscription_id, min(recorded.used_on) as first_on, count(*) as days
from recorded
where not exists (
  select 1 from charged
  where charged.subscription_id = recorded.subscription_id and charged.start_date <= recorded.used_on and charged.end_date >= recorded.used_on)
group by recorded.account_record_id, recorded.subscription_id
