-- relation: stripe_item_begin
-- reads:    stripe_statement, stripe_line, stripe_item, stripe_life
-- The begin of each item (S17). The first items of a subscription hold from its start. An item that came later without proration holds from its creation,
-- if the row of today has it, else from its first line. An item within a minute counts as with the other one.
with stated as (
  select statement.subscription_id, statement.item_id, 0 as is_metered, min(statement.stated_from) as first_at,
    min(case when statement.is_debit = 1 then statement.stated_from end) as first_debit_at
  from relation.stripe_statement as statement
  group by statement.subscription_id, statement.item_id
  union all
  select line.subscription_id, line.item_id, 1, min(line.starts_at), null
  from relation.stripe_line as line
  where line.kind = 'usage'
  group by line.subscription_id, line.item_id
),
known as (
  select stated.subscription_id, stated.item_id, stated.is_metered, stated.first_at, stated.first_debit_at, item.created_at as item_created_at
  from stated
  left join relation.stripe_item as item on item.subscription_id = stated.subscription_id and item.item_id = stated.item_id
  union all
  select item.subscription_id, item.item_id, item.is_metered, null, null, item.created_at
  from relation.stripe_item as item
  left join stated on stated.subscription_id = item.subscription_id and stated.item_id = item.item_id
  where stated.item_id is null
),
compared as (
  select known.*, life.started_at, life.created_at, min(known.first_at) over (partition by known.subscription_id) as first_of_all
  from known
  join relation.stripe_life as life on life.subscription_id = known.subscription_id
),
dated as (
  select compared.*,
    case when first_of_all is null or first_at <= fn.add_seconds(first_of_all, 60) or item_created_at <= fn.add_seconds(created_at, 60) then started_at
      when first_at = first_debit_at then first_at
      when first_at is null or item_created_at < first_at then item_created_at
      else first_at end as found_at
  from compared
)
select subscription_id, item_id, is_metered, first_at, case when found_at < started_at then started_at else found_at end as began_at
from dated
