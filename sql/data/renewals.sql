-- metric: data
-- query:  renewals
-- reads:  subscription_span, subscription, customer, tenant, plan, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  rate_day date
-- param:  base_currency text
-- unsliced
-- Subscriptions that renew from :start to before :end, as the billing database states it now (D82). The billed period ends, or a fixed term. If
-- both end on one day, it is one renewal. The state is that from then on. A subscription that ends or pauses by then does not renew.
with ahead as (
  select span.*, lag(span.phase_type) over (partition by span.subscription_id order by span.valid_from) as phase_before
  from relation.subscription_span as span
),
term as (
  select ahead.customer_key, ahead.subscription_id, ahead.plan, ahead.plan_key, ahead.quantity, ahead.currency,
    case when ahead.is_unpriced = true then null else ahead.subscription_mrr_cents end as mrr_cents, side.ends,
    case when side.ends = 'fixed_term' then ahead.valid_from else subscription.charged_through_at end as renews_at
  from ahead
  join relation.subscription as subscription on subscription.subscription_id = ahead.subscription_id
  cross join (select 'fixed_term' as ends union all select 'period') as side
  where ahead.status = 'active' and (ahead.subscription_mrr_cents > 0 or ahead.is_unpriced = true)
    and ((side.ends = 'fixed_term' and ahead.phase_before = 'fixedterm' and ahead.start_reason = 'phase')
      or (side.ends = 'period' and subscription.charged_through_at >= ahead.valid_from
        and (ahead.valid_to is null or subscription.charged_through_at < ahead.valid_to)))
),
fact as (
  select term.*, row_number() over (partition by term.subscription_id, cast(fn.clock(term.renews_at) as date) order by term.ends) as nth
  from term
),
listed as (
  select fact.subscription_id, customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name,
    coalesce(plan.plan_id, fact.plan) as plan_id, plan.billing_period, fact.quantity, fact.currency, fact.mrr_cents, fact.ends, fact.renews_at
  from fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  left join relation.plan as plan on plan.plan_key = fact.plan_key
  where fact.nth = 1 and fact.renews_at >= :start and fact.renews_at < :end
  /*{filters}*/
)
select listed.*,
  case when listed.currency = :base_currency then listed.mrr_cents else fn.converted(listed.mrr_cents, rate.rate) end as mrr_base_cents
from listed
left join relation.fx_rate as rate on rate.currency = listed.currency and rate.day = :rate_day
order by listed.renews_at, listed.subscription_id
