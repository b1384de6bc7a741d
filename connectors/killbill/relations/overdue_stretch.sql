-- relation: overdue_stretch
-- reads:    kb_account
-- param:    tenants integers
-- param:    now timestamp
-- Stretches in which an account is in an overdue state (KB 5.2). Each state holds until the next one. The clear state is none.
with stated as (
  select state.account_record_id, state.state, state.effective_date as valid_from, lead(state.effective_date) over (partition by state.blockable_id
    order by state.effective_date, state.created_date, state.record_id) as valid_to
  from blocking_states as state
  where state.tenant_record_id in (:tenants) and state.is_active = true and state.service = 'overdue-service' and state.type = 'ACCOUNT'
    and state.effective_date <= :now and state.created_date <= :now
)
select account.customer_key, stated.valid_from, stated.valid_to, stated.state
from relation.kb_account as account
join stated on stated.account_record_id = account.customer_key
where stated.state <> '__KILLBILL__CLEAR__OVERDUE_STATE__' and stated.valid_from < coalesce(stated.valid_to, timestamp '9999-12-31 00:00:00')
