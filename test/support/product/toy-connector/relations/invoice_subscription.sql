-- relation: invoice_subscription
-- param:    now timestamp
-- The subscriptions of the items of an invoice.
select distinct item.invoice_number as invoice_id, fn.text(item.subscription_id) as subscription_id
from toy_item as item
where item.recorded_at <= :now and item.subscription_id is not null
