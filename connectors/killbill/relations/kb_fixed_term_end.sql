-- relation: kb_fixed_term_end
-- reads:    kb_event, fixed_term
-- needs:    fixed_term
-- param:    tenants integers
-- param:    until timestamp
-- param:    derive_fixed_term_end boolean
-- End of a final FIXEDTERM phase: the start of the phase plus its duration (D18, KB 2.7). A subscription with an EXPIRED row,
-- even an inactive one, is left out. A phase before the first plan is ignored.
with entered as (
  select event.tenant_key, event.subscription_id, event.phase_name, event.effective_date, event.sort_key
  from relation.kb_event as event
  where event.kind in ('plan', 'phase') and event.phase_name like '%-fixedterm' and :derive_fixed_term_end = true
    and event.subscription_id not in (
      select expired.subscription_id
      from subscription_events as expired
      where expired.tenant_record_id in (:tenants) and expired.event_type = 'EXPIRED'
    )
),
placed as (
  select entered.tenant_key, entered.subscription_id, entered.phase_name, entered.effective_date,
    max(case when other.kind = 'plan' and other.sort_key <= entered.sort_key then other.effective_date end) as plan_set_at,
    min(case when other.sort_key > entered.sort_key then other.effective_date end) as next_at
  from entered
  join relation.kb_event as other on other.subscription_id = entered.subscription_id and other.kind in ('plan', 'phase')
  group by entered.tenant_key, entered.subscription_id, entered.phase_name, entered.effective_date, entered.sort_key
),
term_end as (
  select placed.subscription_id, placed.next_at,
    fn.add_period(placed.effective_date, term.months, term.days) as ended_at
  from placed
  join relation.fixed_term as term on term.tenant_key = placed.tenant_key and term.phase_name = placed.phase_name
    and (term.entered_from is null or placed.plan_set_at >= term.entered_from)
    and (term.entered_to is null or placed.plan_set_at < term.entered_to)
    and (term.from_at is null or placed.effective_date >= term.from_at)
    and (term.to_at is null or placed.effective_date < term.to_at)
  where placed.plan_set_at is not null
)
select ended.subscription_id, ended.ended_at
from term_end as ended
where ended.ended_at <= :until and (ended.next_at is null or ended.ended_at <= ended.next_at)
