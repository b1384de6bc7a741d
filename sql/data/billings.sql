-- metric: data
-- query:  billings
-- reads:  billing_term, billed_stretch, billing_condition, customer, customer_zone, tenant, plan, fx_rate
-- param:  now timestamp
-- param:  rate_day date
-- unsliced
-- The terms of subscriptions with all that their coming charges follow from (D91): the last billed stretch, whether the engine makes no invoices
-- for the account, and the exchange rate. Days are local days of the account, as numbers of days since 1970-01-01.
with stretch as (
  select billed.subscription_id, fn.day_number(billed.starts_on) as billed_first_number, fn.day_number(billed.ends_on) as billed_end_number,
    billed.amount_cents as billed_cents,
    row_number() over (partition by billed.subscription_id order by billed.ends_on desc, billed.starts_on desc, billed.item_key desc) as recency
  from relation.billed_stretch as billed
  where billed.kind = 'recurring'
),
held as (
  select distinct cause.subscription_id
  from relation.billing_condition as cause
  where cause.kind in ('invoicing_off', 'account_parked', 'invoicing_failed') and cause.valid_to is null
)
select fact.subscription_id, customer.source_id, tenant.tenant_name, customer.customer_id, customer.customer_name,
  coalesce(plan.plan_id, fact.plan) as plan_id, fact.quantity, fact.currency, fact.period_micros, fact.period_months, fact.period_days,
  case when fact.in_arrears = true then 1 else 0 end as is_in_arrears, fact.fixed_micros, fact.usage_cents, fact.billing_day as billing_day_number, fact.anchored_on,
  case when fact.term_from > :now then 1 else 0 end as is_ahead,
  fn.day_number(fn.add_seconds(fact.term_from, coalesce(zone.utc_offset_seconds, 0))) as first_number,
  fn.day_number(fn.add_seconds(fact.term_to, coalesce(zone.utc_offset_seconds, 0))) as end_number,
  fn.day_number(fn.add_seconds(:now, coalesce(zone.utc_offset_seconds, 0))) as today_number,
  stretch.billed_first_number, stretch.billed_end_number, stretch.billed_cents, case when held.subscription_id is null then 0 else 1 end as is_held, rate.rate
from relation.billing_term as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.customer_zone as zone on zone.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
left join relation.plan as plan on plan.plan_key = fact.plan_key
left join stretch on stretch.subscription_id = fact.subscription_id and stretch.recency = 1
left join held on held.subscription_id = fact.subscription_id
left join relation.fx_rate as rate on rate.currency = fact.currency and rate.day = :rate_day
where 1 = 1
/*{filters}*/
order by fact.subscription_id, fact.term_from
