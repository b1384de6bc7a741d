-- relation: kb_fact
-- reads:    kb_event, kb_fixed_term_end, kb_base_end, kb_addon_end, kb_transfer_end, kb_block_edge, kb_usage_mean
-- param:    window_end timestamp
-- Everything that can change a subscription up to :window_end, in one list for one window pass; ends up to now, because a
-- short block is judged by them. `…_packed` begins with 32 ordering characters, so that its maximum is the newest of its kind.
select event.customer_key, event.subscription_id, event.effective_date as fact_at, event.kind, event.start_type,
  case when event.kind in ('plan', 'phase') and event.phase_name is not null then concat(event.sort_key, event.phase_name) end as phase_packed,
  case when event.kind = 'plan' then concat(event.sort_key, coalesce(event.price_list_name, '')) end as plan_packed,
  case when event.kind = 'quantity' then concat(event.sort_key, fn.text(event.quantity)) end as quantity_packed,
  case when event.kind = 'cancel' then 2 when event.kind = 'expiry' then 3 end as end_rank,
  0 as block_step, 0 as overdue_step, case when 1 = 0 then event.effective_date end as short_closed_at,
  case when 1 = 0 then event.effective_date end as short_overdue_closed_at, null as usage_packed
from relation.kb_event as event
where event.kind in ('cancel', 'expiry') or event.effective_date <= :window_end
union all
select term.customer_key, term.subscription_id, term.ended_at, 'end', null, null, null, null, 3, 0, 0, null, null, null
from relation.kb_fixed_term_end as term
union all
select base_end.customer_key, base_end.subscription_id, base_end.ended_at, 'end', null, null, null, null, 4, 0, 0, null, null, null
from relation.kb_base_end as base_end
union all
select excluded.customer_key, excluded.subscription_id, excluded.ended_at, 'end', null, null, null, null, 4, 0, 0, null, null, null
from relation.kb_addon_end as excluded
union all
select transfer.customer_key, transfer.subscription_id, transfer.ended_at, 'end', null, null, null, null, 1, 0, 0, null, null, null
from relation.kb_transfer_end as transfer
union all
select edge.customer_key, edge.subscription_id, edge.edge_at, 'block', null, null, null, null, null, edge.block_step, edge.overdue_step,
  edge.short_closed_at, edge.short_overdue_closed_at, null
from relation.kb_block_edge as edge
where edge.edge_at <= :window_end
union all
select paid.customer_key, paid.subscription_id, paid.paid_at, 'usage', null, null, null, null, null, 0, 0, null, null,
  concat(fn.text(paid.paid_at), fn.text(paid.mean_cents))
from relation.kb_usage_mean as paid
