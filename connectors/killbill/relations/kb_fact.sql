-- relation: kb_fact
-- reads:    kb_ended, kb_event, kb_phase, kb_price_list, kb_fixed_term_end, kb_base_end, kb_addon_end, kb_transfer_end, kb_block_edge, usage_mean
-- param:    window_end timestamp
-- param:    whole_lives boolean
-- fenced
-- Everything that can change a subscription up to :window_end, in one list for one window pass. Ends after :window_end are
-- included, up to :until of the relations below, because a short block counts only if the subscription ended before the block closed. Each `…_packed`
-- number is an order with a value in its last digits, so its maximum holds the newest value. These columns are numbers, because
-- databases sort and store numbers in memory far better than text. Without :whole_lives, the subscriptions of
-- kb_ended are left out.
select event.customer_key, event.subscription_key, event.fact_at,
  case when event.start_type is not null then event.event_number * 10 + case when event.start_type = 'TRANSFER' then 1 else 0 end end as start_packed,
  case when event.kind in ('plan', 'phase') then event.event_number * 100000000 + event.phase_code end as phase_packed,
  case when event.kind = 'plan' then event.event_number * 1000000 + event.list_code end as plan_packed,
  case when event.kind = 'quantity' then event.event_number * 10000000000 + case when event.quantity > 0 then event.quantity else 0 end
    end as quantity_packed,
  case when event.kind = 'cancel' then 2 when event.kind = 'expiry' then 3 end as end_rank,
  0 as block_step, case when 1 = 0 then event.fact_at end as short_closed_at,
  case when 1 = 0 then event.fact_at end as short_overdue_closed_at, case when 1 = 0 then event.sort_key end as usage_packed
from (
  select subscription.account_record_id as customer_key, subscription.record_id as subscription_key, event.effective_date as fact_at,
    event.start_type, event.kind, event.quantity, phase.phase_code, coalesce(list.list_code, 0) as list_code,
    case when 1 = 0 then event.sort_key end as sort_key,
    row_number() over (partition by subscription.record_id order by event.sort_key) as event_number
  from relation.kb_event as event
  join subscriptions as subscription on subscription.id = event.subscription_id
  left join relation.kb_phase as phase on phase.phase_name = event.phase_name
  left join relation.kb_price_list as list on list.price_list_name = event.price_list_name
  where (event.kind in ('cancel', 'expiry') or event.effective_date <= :window_end)
    and (:whole_lives = true or event.subscription_id not in (select ended.subscription_id from relation.kb_ended as ended))
) as event
union all
select subscription.account_record_id, subscription.record_id, term.ended_at, null, null, null, null, 3, 0, null, null, null
from relation.kb_fixed_term_end as term
join subscriptions as subscription on subscription.id = term.subscription_id
union all
select base_end.customer_key, base_end.subscription_key, base_end.ended_at, null, null, null, null, 4, 0, null, null, null
from relation.kb_base_end as base_end
union all
select excluded.customer_key, excluded.subscription_key, excluded.ended_at, null, null, null, null, 4, 0, null, null, null
from relation.kb_addon_end as excluded
union all
select transfer.customer_key, transfer.subscription_key, transfer.ended_at, null, null, null, null, 1, 0, null, null, null
from relation.kb_transfer_end as transfer
union all
select edge.customer_key, edge.subscription_key, edge.edge_at, null, null, null, null, null, edge.block_step,
  edge.short_closed_at, edge.short_overdue_closed_at, null
from relation.kb_block_edge as edge
where edge.edge_at <= :window_end
union all
select paid.customer_key, subscription.record_id, paid.paid_at, null, null, null, null, null, 0, null, null,
  cast(fn.microseconds_between(timestamp '1970-01-01 00:00:00', paid.paid_at) as decimal(18, 0)) * 1000000000000000 + paid.mean_cents
from relation.usage_mean as paid
join subscriptions as subscription on subscription.id = paid.subscription_id
