-- metric: data
-- query:  subscriptions
-- reads:  subscription_state, subscription, customer, plan, trial, cancellation, tenant
-- param:  now timestamp
-- unsliced
-- A page of the subscriptions in the requested order, else newest start first, with the total number. Trials and reasons are
-- looked up for the page only. The reason comes from the cancellation that ended the subscription or will end it (D46).
with listed as (
  select fact.subscription_id, customer.source_id, tenant.tenant_name, subscription.external_key, subscription.bundle_id,
    subscription.bundle_external_key, customer.customer_id, customer.customer_name, fact.status, coalesce(plan.plan_id, fact.plan) as plan_id,
    coalesce(plan.plan_name, plan.plan_id, fact.plan) as plan_name, plan.plan_interval, plan.billing_period, plan.product_name,
    plan.product_category, fact.price_list, fact.phase_type, customer.collection_method, fact.quantity,
    coalesce(fact.currency, customer.currency) as currency,
    fact.mrr_cents, fact.mrr_base_cents, fact.usage_mrr_base_cents, subscription.created_at, fact.started_at, fact.next_change_at,
    subscription.charged_through_on, subscription.cancel_requested_at, subscription.cancel_at as cancel_effective_at, fact.ended_at, fact.end_reason,
    case when subscription.cancel_requested_at <= :now and subscription.cancel_at > :now and fact.ended_at is null then 1 else 0 end as is_canceling
  from relation.subscription_state as fact
  join relation.subscription as subscription on subscription.subscription_id = fact.subscription_id
  join relation.customer as customer on customer.customer_key = subscription.customer_key
  left join relation.plan as plan on plan.plan_key = fact.plan_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  /*{joins}*/
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
