-- relation: stripe_piece
-- reads:    stripe_statement, stripe_item_begin, stripe_item, stripe_life, stripe_metered_item
-- Stretches [from_at, to_at) of items with one price and quantity. The row of today is the last statement (S18). An item that differs from its last line
-- changed at the last event of the row. An item that is gone ended with its last line, or at that event if it is earlier. A row that is older than the last
-- line of an item does not know of it, so that item ends with the line.
with numbered as (
  select statement.*, row_number() over (partition by statement.subscription_id, statement.item_id order by statement.stated_from desc) as place_from_end
  from relation.stripe_statement as statement
),
last_known as (
  select numbered.*, life.synced_at, life.ended_at, life.is_ghost, item.item_id as present_item, item.price_id as present_price,
    item.quantity as present_quantity, item.monthly_cents as present_cents, item.is_tiered as present_tiered
  from numbered
  join relation.stripe_life as life on life.subscription_id = numbered.subscription_id
  left join relation.stripe_item as item on item.subscription_id = numbered.subscription_id and item.item_id = numbered.item_id
  where numbered.place_from_end = 1
),
entered as (
  select statement.subscription_id, statement.item_id, statement.stated_from, statement.price_id, statement.quantity, statement.monthly_cents,
    statement.is_removed, 0 as strength
  from relation.stripe_statement as statement
  union all
  select subscription_id, item_id, case when synced_at < stated_from then stated_from else synced_at end, present_price, present_quantity,
    present_cents, 0, 1
  from last_known
  where ended_at is null and present_item is not null
    and (is_removed = 1 or present_price <> price_id or (present_tiered = 0 and present_quantity <> quantity))
  union all
  select subscription_id, item_id, case when is_ghost = 0 and synced_at >= stated_from and synced_at < ends_at then synced_at else ends_at end, price_id, quantity, 0, 1, 1
  from last_known
  where present_item is null and is_removed = 0
),
ranked as (
  select entered.*, row_number() over (partition by subscription_id, item_id, stated_from order by strength desc) as place_from_end
  from entered
),
whole as (
  select ranked.subscription_id, ranked.item_id, 0 as is_metered, item_begin.began_at,
    case when ranked.stated_from = item_begin.first_at then item_begin.began_at else ranked.stated_from end as from_at, ranked.price_id, ranked.quantity,
    ranked.monthly_cents, ranked.is_removed
  from ranked
  join relation.stripe_item_begin as item_begin on item_begin.subscription_id = ranked.subscription_id and item_begin.item_id = ranked.item_id
    and item_begin.is_metered = 0
  where ranked.place_from_end = 1
),
compared as (
  select whole.*, lag(from_at) over w as from_before, lag(price_id) over w as price_before, lag(quantity) over w as quantity_before,
    lag(monthly_cents) over w as cents_before, lag(is_removed) over w as removed_before
  from whole
  window w as (partition by subscription_id, item_id order by from_at)
),
changed as (
  select compared.*, lead(from_at) over (partition by subscription_id, item_id order by from_at) as next_at
  from compared
  where from_before is null or price_before <> price_id or quantity_before <> quantity or removed_before <> is_removed
    or not fn.null_safe_equal(cents_before, monthly_cents)
)
select subscription_id, item_id, is_metered, began_at, from_at, coalesce(next_at, timestamp '9999-12-31 00:00:00') as to_at, price_id, quantity,
  monthly_cents
from changed
where is_removed = 0
union all
select item_begin.subscription_id, item_begin.item_id, item_begin.is_metered, item_begin.began_at, item_begin.began_at, timestamp '9999-12-31 00:00:00', item.price_id,
  item.quantity, item.monthly_cents
from relation.stripe_item_begin as item_begin
join relation.stripe_item as item on item.subscription_id = item_begin.subscription_id and item.item_id = item_begin.item_id
where item_begin.first_at is null and item_begin.is_metered = 0
union all
select metered.subscription_id, metered.item_id, 1, metered.began_at, metered.began_at, timestamp '9999-12-31 00:00:00', metered.price_id, 1, 0
from relation.stripe_metered_item as metered
