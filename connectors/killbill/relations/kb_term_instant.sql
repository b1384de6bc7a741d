-- relation: kb_term_instant
-- reads:    kb_state, kb_account, kb_phase, fixed_term
-- needs:    fixed_term
-- Ends of the fixed terms that accounts have entered.
select entered.customer_key, fn.add_period(entered.state_at, term.months, term.days) as term_ends_at
from relation.kb_state as entered
join relation.kb_account as account on account.customer_key = entered.customer_key
join relation.kb_phase as phase on phase.phase_code = entered.phase_code
join relation.fixed_term as term on term.tenant_key = account.tenant_key and term.phase_name = phase.phase_name
  and (term.entered_from is null or entered.plan_set_at >= term.entered_from)
  and (term.entered_to is null or entered.plan_set_at < term.entered_to)
  and (term.from_at is null or entered.state_at >= term.from_at) and (term.to_at is null or entered.state_at < term.to_at)
