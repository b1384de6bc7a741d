-- metric: billing_health
-- query:  running
-- reads:  mrr_span, customer, tenant, plan, listed_plan, fx_rate
-- param:  now timestamp
-- param:  rate_day date
-- param:  base_currency text
-- unsliced
-- Subscriptions that are active now, with their MRR, the instant since which they have it, the length of their billing period, and the amount of
-- today's list price (H6). Base amounts have the rate of :rate_day, as those of findings do.
with held as (
  select span.customer_key, span.subscription_id,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.plan end) as plan,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.plan_key end) as plan_key,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.phase_type end) as phase_type,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.currency end) as currency,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.quantity end) as quantity,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.mrr_cents end) as mrr_cents,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) then span.subscription_mrr_cents end) as agreed_cents,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) and span.is_unpriced = true then 1 else 0 end) as is_unpriced,
    max(case when span.valid_from <= :now and (span.valid_to is null or span.valid_to > :now) and span.status = 'active' then 1 else 0 end) as is_active,
    coalesce(max(case when span.subscription_mrr_cents = 0 then span.valid_to end), min(span.valid_from)) as paid_since
  from relation.mrr_span as span
  group by span.customer_key, span.subscription_id
),
listed as (
  select fact.subscription_id, customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name,
    coalesce(plan.plan_id, fact.plan) as plan_id, fact.currency, fact.quantity, fact.mrr_cents, fact.agreed_cents, fact.is_unpriced, fact.paid_since,
    price.period_days,
    fn.int_div(fn.int_div(price.list_micros * fact.quantity + 5000, 10000) * price.month_numerator, price.month_denominator) as list_cents
  from held as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  left join relation.plan as plan on plan.plan_key = fact.plan_key
  left join relation.listed_plan as price on price.source_id = customer.source_id and price.plan = fact.plan
    and price.phase_type = fact.phase_type and price.currency = fact.currency
  where fact.is_active = 1
  /*{filters}*/
)
select listed.*,
  case when listed.currency = :base_currency or listed.mrr_cents = 0 then listed.mrr_cents
    else fn.converted(listed.mrr_cents, rate.rate) end as mrr_base_cents,
  case when listed.currency = :base_currency then listed.list_cents - listed.agreed_cents
    else fn.converted(listed.list_cents - listed.agreed_cents, rate.rate) end as below_base_cents
from listed
left join relation.fx_rate as rate on rate.currency = listed.currency and rate.day = :rate_day
