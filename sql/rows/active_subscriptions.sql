-- metric: rows
-- query:  active_subscriptions
-- reads:  mrr_span, subscription, customer, plan
-- param:  before timestamp
-- unsliced
-- Subscriptions live just before :before (D22, D38): active or paused. The MRR of a subscription without a price is null, never 0.
select customer.source_id, fact.subscription_id, customer.customer_id, subscription.bundle_id, fact.status,
  coalesce(plan.plan_id, fact.plan) as plan_id, fact.price_list, fact.quantity, fact.currency,
  case when fact.is_unpriced = true then null else fact.mrr_cents end as mrr_cents
from relation.mrr_span as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
join relation.subscription as subscription on subscription.subscription_id = fact.subscription_id
left join relation.plan as plan on plan.plan_key = fact.plan_key
where fact.valid_from < :before and (fact.valid_to is null or fact.valid_to >= :before) and fact.is_live = true
