-- relation: kb_fixed_term_end
-- reads:    kb_event, catalog_cell, fixed_term
-- param:    tenants integers
-- param:    now timestamp
-- param:    window_end timestamp
-- param:    derive_fixed_term_end boolean
-- End of a final FIXEDTERM phase that has no EXPIRED row in any state (D18, KB 2.7): start of the phase plus its duration.
with phase_in_order as (
  select event.customer_key, event.subscription_id, event.phase_name, event.effective_date,
    lead(event.effective_date) over w as next_at,
    max(case when event.kind = 'plan' then event.effective_date end) over w as plan_set_at
  from relation.kb_event as event
  where event.kind in ('plan', 'phase') and event.phase_name is not null and :derive_fixed_term_end = true
    and event.subscription_id in (
      select term_event.subscription_id
      from subscription_events as term_event
      where term_event.tenant_record_id in (:tenants) and term_event.is_active = true and term_event.phase_name like '%-fixedterm'
    )
    and event.subscription_id not in (
      select expired.subscription_id
      from subscription_events as expired
      where expired.tenant_record_id in (:tenants) and expired.event_type = 'EXPIRED'
    )
  window w as (partition by event.customer_key, event.subscription_id order by event.sort_key)
),
term_end as (
  select entered.customer_key, entered.subscription_id, entered.next_at,
    fn.add_period(entered.effective_date, term.months, term.days) as ended_at
  from phase_in_order as entered
  join accounts as account on account.record_id = entered.customer_key
  join relation.catalog_cell as cell on cell.tenant_key = account.tenant_record_id
    and entered.plan_set_at >= cell.from_at and entered.plan_set_at < cell.to_at
  join relation.fixed_term as term on term.tenant_key = account.tenant_record_id
    and term.phase_name = entered.phase_name and term.cell = cell.cell
    and entered.effective_date >= term.from_at and entered.effective_date < term.to_at
)
select ended.customer_key, ended.subscription_id, ended.ended_at
from term_end as ended
where ended.ended_at <= :now and ended.ended_at <= :window_end and (ended.next_at is null or ended.ended_at <= ended.next_at)
