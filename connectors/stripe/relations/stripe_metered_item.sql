-- relation: stripe_metered_item
-- reads:    stripe_item_begin, stripe_item, stripe_line
-- Metered items with their begin and newest price. Usage counts from the begin on, also after the item is gone (S20).
with priced as (
  select line.subscription_id, line.item_id, line.price_id,
    row_number() over (partition by line.subscription_id, line.item_id order by line.starts_at desc, line.line_id) as recency
  from relation.stripe_line as line
  where line.kind = 'usage'
)
select item_begin.subscription_id, item_begin.item_id, item_begin.began_at, coalesce(item.price_id, priced.price_id) as price_id
from relation.stripe_item_begin as item_begin
left join relation.stripe_item as item on item.subscription_id = item_begin.subscription_id and item.item_id = item_begin.item_id
left join priced on priced.subscription_id = item_begin.subscription_id and priced.item_id = item_begin.item_id and priced.recency = 1
where item_begin.is_metered = 1
