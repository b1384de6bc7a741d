-- relation: kb_own_end
-- reads:    kb_event, kb_fixed_term_end
-- Ends that a subscription has by itself (D18): CANCEL, EXPIRED, and the computed end of a fixed term. If it has several rows,
-- the earliest counts. `end_rank` orders the reasons at one instant as D28 does.
select event.subscription_id, event.effective_date as ended_at,
  case when event.kind = 'cancel' then 2 else 3 end as end_rank
from relation.kb_event as event
where event.kind in ('cancel', 'expiry')
union all
select term.subscription_id, term.ended_at, 3
from relation.kb_fixed_term_end as term
