-- relation: kb_block
-- param:    tenants integers
-- param:    now timestamp
-- param:    until timestamp
-- Billing blocks per service and blocked object (D20, KB 5.2), up to :until also those known now that will take effect (D80). The first row with block_billing opens a block, and the next row
-- without it closes the block. A block shorter than 24 hours (`is_short`) counts only for a subscription that ended before the
-- block closed, because rows after the end are ignored. ENT_STARTED and ENT_CANCELLED rows can only close a block of the same
-- service on the same subscription. So they are read only for subscriptions that have such a block.
with state_in_order as (
  select state.account_record_id, state.blockable_id, state.type, state.service, state.effective_date, state.block_billing,
    lag(state.block_billing) over w as block_before,
    state.created_date, state.record_id
  from blocking_states as state
  where state.tenant_record_id in (:tenants) and state.is_active = true
    and (state.effective_date <= :now or (state.effective_date <= :until and state.created_date <= :now))
    and (state.state not in ('ENT_STARTED', 'ENT_CANCELLED') or state.blockable_id in (
      select blocked.blockable_id
      from blocking_states as blocked
      where blocked.tenant_record_id in (:tenants) and blocked.is_active = true and blocked.block_billing = true
        and blocked.type = 'SUBSCRIPTION' and blocked.service = 'entitlement-service'
    ))
  window w as (partition by state.blockable_id, state.service order by state.effective_date, state.created_date, state.record_id)
),
edge as (
  select turn.account_record_id, turn.blockable_id, turn.type, turn.service, turn.block_billing, turn.effective_date as opened_at,
    lead(turn.effective_date) over (
      partition by turn.blockable_id, turn.service order by turn.effective_date, turn.created_date, turn.record_id
    ) as closed_at
  from state_in_order as turn
  where turn.block_billing <> coalesce(turn.block_before, false)
)
select edge.account_record_id, edge.blockable_id, edge.type,
  case when edge.service = 'overdue-service' then 1 else 0 end as overdue_count,
  edge.opened_at, edge.closed_at,
  case when edge.closed_at is not null and fn.microseconds_between(edge.opened_at, edge.closed_at) < 86400000000 then 1 else 0 end as is_short
from edge
where edge.block_billing = true and (edge.closed_at is null or edge.closed_at > edge.opened_at)
