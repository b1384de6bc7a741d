-- metric: data
-- query:  customers
-- reads:  customer, customer_state, tenant
-- unsliced
-- A page of the customers in the requested order, else newest first, with the total number. The currency is that of the MRR, or else that of
-- the account.
with listed as (
  select fact.customer_key, fact.source_id, tenant.tenant_name, fact.customer_id, fact.external_key, fact.customer_name, fact.email,
    fact.customer_country, coalesce(state.currency, fact.currency) as currency, fact.created_at, coalesce(state.status, 'lead') as status, state.first_active_at, state.churned_at,
    coalesce(state.live_subscriptions, 0) as live_subscriptions,
    case when state.customer_key is null then 0 else state.mrr_cents end as mrr_cents,
    case when state.customer_key is null then 0 else state.mrr_base_cents end as mrr_base_cents
  from relation.customer as fact
  left join relation.customer_state as state on state.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = fact.source_id
  where 1 = 1
  /*{filters}*/
)
select record.*, fn.total_of(listed) as total_count
from listed as record
order by /*{order_by}*/ record.created_at desc, record.customer_id /*{page}*/
