-- relation: kb_block_edge
-- reads:    kb_block
-- needs:    blocking_states
-- param:    tenants integers
-- Openings (+) and closings (-) of the blocks that affect each subscription: blocks of the subscription, of its bundle and of
-- its account. A step is a million, and one more if the block is for an
-- overdue payment. A short block has a single row, with step 0 and the instant of its closing.
with reach as (
  select subscription.account_record_id as customer_key, subscription.record_id as subscription_key,
    block.opened_at, block.closed_at, block.overdue_count, block.is_short
  from relation.kb_block as block
  join subscriptions as subscription on subscription.account_record_id = block.account_record_id
    and subscription.tenant_record_id in (:tenants)
  where block.type = 'ACCOUNT' or subscription.bundle_id = block.blockable_id or subscription.id = block.blockable_id
)
select reach.customer_key, reach.subscription_key,
  case when side.step = 1 then reach.opened_at else reach.closed_at end as edge_at,
  case when reach.is_short = 1 then 0 else side.step * (1000000 + reach.overdue_count) end as block_step,
  case when reach.is_short = 1 then reach.closed_at end as short_closed_at,
  case when reach.is_short = 1 and reach.overdue_count = 1 then reach.closed_at end as short_overdue_closed_at
from reach
cross join (select 1 as step union all select -1) as side
where side.step = 1 or (reach.closed_at is not null and reach.is_short = 0)
