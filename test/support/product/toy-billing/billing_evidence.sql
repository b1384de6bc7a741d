-- relation: billing_evidence
-- reads:    customer
-- The items of the toy engine. Its rows have ids and no numbers.
select customer.customer_key, fn.text(item.subscription_id) as subscription_id, 'toy_item' as table_name, item.id as row_key,
  case when 1 = 0 then item.kind end as row_id, item.recorded_at as occurred_at, item.kind as row_kind, case when 1 = 0 then item.kind end as detail,
  item.served_on as from_on, case when 1 = 0 then item.served_on end as to_on, item.amount_cents, case when 1 = 0 then 1 end as quantity,
  case when 1 = 0 then item.served_on end as priced_on
from toy_item as item
join relation.customer as customer on customer.customer_key = item.customer_id
where item.subscription_id is not null
