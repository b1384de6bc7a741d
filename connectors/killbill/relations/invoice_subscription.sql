-- relation: invoice_subscription
-- param:    tenants integers
-- param:    now timestamp
-- Subscriptions of each invoice's items. An adjustment without a subscription belongs to the subscription of the item that it
-- adjusts (KB 8.6).
select distinct item.invoice_id, coalesce(item.subscription_id, linked.subscription_id) as subscription_id
from invoice_items as item
left join invoice_items as linked on linked.id = item.linked_item_id
where item.tenant_record_id in (:tenants) and item.created_date <= :now
  and (item.subscription_id is not null or linked.subscription_id is not null)
