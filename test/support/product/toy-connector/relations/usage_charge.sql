-- relation: usage_charge
-- reads:    customer
-- param:    now timestamp
-- Usage items of paid invoices. An item covers one month.
select customer.customer_key, item.id as charge_id, fn.text(item.subscription_id) as subscription_id, null as plan, item.currency,
  item.paid_at, item.served_on as charge_date, fn.month_start(item.served_on) as service_month, item.amount_cents
from toy_item as item
join relation.customer as customer on customer.customer_key = item.customer_id
where item.kind = 'usage' and item.paid_at <= :now
