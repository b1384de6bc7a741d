-- metric: data
-- query:  subscriptions
-- reads:  subscription, customer, subscription_state, plan, trial, cancellation, tenant
-- param:  now timestamp
-- unsliced
-- A page of the subscriptions in the requested order, else newest start first, with the total number. Trials and reasons are
-- looked up for the page only. The reason comes from the cancellation that ended the subscription or will end it (D46).
with listed as (
  select fact.subscription_id, customer.source_id, tenant.tenant_name, fact.external_key, fact.bundle_id, fact.bundle_external_key,
    customer.customer_id, customer.customer_name, state.status, coalesce(plan.plan_id, state.plan) as plan_id,
    coalesce(plan.plan_name, plan.plan_id, state.plan) as plan_name, plan.plan_interval, plan.billing_period, plan.product_name,
    plan.product_category, state.price_list, state.phase_type, customer.collection_method, state.quantity,
    coalesce(state.currency, customer.currency) as currency,
    state.mrr_cents, state.mrr_base_cents, state.usage_mrr_base_cents, fact.created_at, state.started_at, state.next_change_at,
    fact.charged_through_at, fact.cancel_requested_at, fact.cancel_at as cancel_effective_at, state.ended_at, state.end_reason,
    case when fact.cancel_requested_at <= :now and fact.cancel_at > :now and state.ended_at is null then 1 else 0 end as is_canceling
  from relation.subscription as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  join relation.subscription_state as state on state.subscription_id = fact.subscription_id
  left join relation.plan as plan on plan.plan_key = state.plan_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  where 1 = 1
  /*{filters}*/
),
paged as (
  select record.*, fn.total_of(listed) as total_count,
    case when end_reason in ('cancel', 'base_end') then ended_at when is_canceling = 1 then cancel_effective_at end as reasoned_at
  from listed as record
  order by /*{order_by}*/ record.started_at desc, record.subscription_id /*{page}*/
)
select record.*, trial.started_at as trial_start, coalesce(trial.converted_at, trial.expired_at) as trial_ended_at,
  cancellation.cancel_reason
from paged as record
left join relation.trial as trial on trial.subscription_id = record.subscription_id
left join relation.cancellation as cancellation on cancellation.subscription_id = record.subscription_id
  and cancellation.effective_at = record.reasoned_at
order by /*{order_by}*/ record.started_at desc, record.subscription_id
