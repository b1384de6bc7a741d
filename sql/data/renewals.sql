-- metric: data
-- query:  renewals
-- reads:  subscription_span, subscription, priced_state, customer, customer_zone, tenant, plan, fx_rate
-- param:  first_day integer
-- param:  end_day integer
-- param:  rate_day date
-- param:  base_currency text
-- unsliced
-- Stretches of subscriptions in which a billed period or a fixed term may end from :first_day to before :end_day, as the billing database states
-- it now (D82). Days are local days of the account, as numbers of days since 1970-01-01. A stretch goes from first_number to before end_number; the
-- subscription is active then. Its state is that at the end of each day, because changes of the day count. A fixed term ends on fixed_number. Billed
-- periods end on charged_number and on the days that follow from it; fixed_number is left out there, so that two ends of a day are one renewal.
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
  select ahead.customer_key, ahead.subscription_id, ahead.valid_from, ahead.status, ahead.plan, ahead.plan_key,
    ahead.phase_type, ahead.price_list, ahead.quantity, ahead.currency, side.ends, ahead.fixed_day as fixed_number,
    case when ahead.is_unpriced = true then null else ahead.subscription_mrr_cents end as mrr_cents,
    fn.day_number(subscription.charged_through_on) as charged_number,
    case when ahead.from_day > :first_day then ahead.from_day else :first_day end as first_number,
    case when ahead.to_day < :end_day then ahead.to_day else :end_day end as end_number
  from ahead
  join relation.subscription as subscription on subscription.subscription_id = ahead.subscription_id
  cross join (select 'fixed_term' as ends union all select 'period') as side
  where ahead.status = 'active' and (ahead.subscription_mrr_cents > 0 or ahead.is_unpriced = true)
    and ahead.from_day < :end_day and ahead.to_day > :first_day and ahead.from_day < ahead.to_day
),
fact as (
  select term.*, case when term.currency = :base_currency then term.mrr_cents else fn.converted(term.mrr_cents, rate.rate) end as mrr_base_cents
  from term
  left join relation.fx_rate as rate on rate.currency = term.currency and rate.day = :rate_day
  where term.ends = 'period' or (term.fixed_number >= term.first_number and term.fixed_number < term.end_number)
)
select fact.subscription_id, customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name,
  coalesce(plan.plan_id, fact.plan) as plan_id, coalesce(priced.billing_period, plan.billing_period) as billing_period, fact.quantity,
  fact.currency, fact.mrr_cents, fact.mrr_base_cents, fact.ends, fact.fixed_number, fact.charged_number, fact.first_number, fact.end_number
from fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
left join relation.plan as plan on plan.plan_key = fact.plan_key
left join relation.priced_state as priced on priced.subscription_id = fact.subscription_id and priced.state_from = fact.valid_from
/*{joins}*/
where 1 = 1
/*{filters}*/
order by fact.subscription_id, fact.first_number, fact.ends
