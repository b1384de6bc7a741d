-- relation: billed_stretch
-- reads:    customer
-- param:    now timestamp
-- The charged plans of the toy engine. An item covers one period from its day of service.
select customer.customer_key, fn.text(item.subscription_id) as subscription_id, item.id as item_key, item.id as invoice_key,
  'committed' as invoice_status, 'recurring' as kind, item.served_on as starts_on,
  cast(fn.add_period(item.served_on, case agreed.unit when 'year' then 12 else 1 end, 0) as date) as ends_on, item.currency,
  item.amount_cents,
  case agreed.unit when 'year' then fn.int_div(item.amount_cents, 12) else item.amount_cents end as monthly_cents,
  case when 1 = 0 then 1 end as quantity, case when 1 = 0 then item.served_on end as priced_on
from toy_item as item
join relation.customer as customer on customer.customer_key = item.customer_id
join (
  select own.subscription_id, max(own.unit) as unit
  from toy_change as own
  group by own.subscription_id
) as agreed on agreed.subscription_id = item.subscription_id
where item.kind = 'plan' and item.recorded_at <= :now
