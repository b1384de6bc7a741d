-- metric: data
-- query:  renewals
-- reads:  subscription_span, subscription, priced_state, customer, customer_zone, tenant, plan, fx_rate
-- param:  first_day integer
-- param:  end_day integer
-- param:  rate_day date
-- param:  base_currency text
-- unsliced
-- Subscriptions that renew from :first_day to before :end_day, as the billing database states it now (D82). Days are local days of the account,
-- as numbers of days since 1970-01-01. On the day, the billed period ends, or a fixed term. If both do, it is one renewal. The state is that at
-- the end of the day, because changes of the day count. A subscription that ends or pauses on the day does not renew.
with dated as (
  select span.*, lag(span.phase_type) over (partition by span.subscription_id order by span.valid_from) as phase_before,
    fn.day_number(fn.add_seconds(span.valid_from, coalesce(zone.utc_offset_seconds, 0))) as from_day,
    coalesce(fn.day_number(fn.add_seconds(span.valid_to, coalesce(zone.utc_offset_seconds, 0))), 9999999) as to_day
  from relation.subscription_span as span
  left join relation.customer_zone as zone on zone.customer_key = span.customer_key
),
ahead as (
  select dated.*, max(case when phase_before = 'fixedterm' and start_reason = 'phase' then from_day end)
    over (partition by subscription_id order by valid_from) as fixed_day
  from dated
),
term as (
  select ahead.customer_key, ahead.subscription_id, ahead.valid_from, ahead.from_day, ahead.to_day, ahead.status, ahead.plan, ahead.plan_key,
    ahead.phase_type, ahead.price_list, ahead.quantity, ahead.currency,
    case when ahead.is_unpriced = true then null else ahead.subscription_mrr_cents end as mrr_cents, side.ends,
    case when side.ends = 'fixed_term' then ahead.fixed_day else fn.day_number(subscription.charged_through_on) end as renewal_number
  from ahead
  join relation.subscription as subscription on subscription.subscription_id = ahead.subscription_id
  cross join (select 'fixed_term' as ends union all select 'period') as side
  where ahead.status = 'active' and (ahead.subscription_mrr_cents > 0 or ahead.is_unpriced = true)
),
fact as (
  select term.*, case when term.currency = :base_currency then term.mrr_cents else fn.converted(term.mrr_cents, rate.rate) end as mrr_base_cents,
    row_number() over (partition by term.subscription_id, term.renewal_number order by term.ends) as nth
  from term
  left join relation.fx_rate as rate on rate.currency = term.currency and rate.day = :rate_day
  where term.renewal_number >= term.from_day and term.renewal_number < term.to_day
    and term.renewal_number >= :first_day and term.renewal_number < :end_day
)
select fact.subscription_id, customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name,
  coalesce(plan.plan_id, fact.plan) as plan_id, coalesce(priced.billing_period, plan.billing_period) as billing_period, fact.quantity,
  fact.currency, fact.mrr_cents, fact.mrr_base_cents, fact.ends, fact.renewal_number
from fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
left join relation.plan as plan on plan.plan_key = fact.plan_key
left join relation.priced_state as priced on priced.subscription_id = fact.subscription_id and priced.state_from = fact.valid_from
/*{joins}*/
where fact.nth = 1
/*{filters}*/
order by fact.renewal_number, fact.subscription_id
