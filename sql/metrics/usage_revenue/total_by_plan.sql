-- metric: usage_revenue
-- query:  total_by_plan
-- reads:  usage_charge, mrr_span, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- param:  base_currency text
-- param:  rate_day date
-- Total by plan or price list (D61). The plan is the plan of the item, as described by the newest span with this plan. The price
-- list is the price list of the newest span. Only spans that begin by the payment count. An item without a plan has the plan of
-- the newest span. Spans and charges are in one list ordered by time, so that each span applies to the charges after it. A key is taken
-- from the span by its place, because PostgreSQL has no maximum of UUIDs. The window must begin before all spans and reach now.
with entry as (
  select span.subscription_id, span.valid_from as entered_at, 0 as is_charge, fn.text(span.plan) as plan, span.plan_key, span.price_list,
    span.customer_key, null as charge_id, null as currency, null as charge_date, null as service_month, null as amount_cents
  from relation.mrr_span as span
  union all
  select charge.subscription_id, charge.paid_at, 1,
    fn.text(charge.plan), null, null, charge.customer_key, charge.charge_id, charge.currency, charge.charge_date, charge.service_month, charge.amount_cents
  from relation.usage_charge as charge
  where charge.charge_date >= :start and charge.charge_date < :end
),
counted as (
  select entry.*,
    sum(1 - is_charge) over (partition by subscription_id, plan order by entered_at, is_charge rows unbounded preceding) as plan_number,
    sum(1 - is_charge) over (partition by subscription_id order by entered_at, is_charge rows unbounded preceding) as span_number
  from entry
),
carried as (
  select counted.*,
    first_value(plan_key) over (partition by subscription_id, plan, plan_number order by is_charge) as item_plan_key,
    max(case when is_charge = 0 then plan end) over s as held_plan, first_value(plan_key) over s as held_plan_key,
    max(price_list) over s as held_price_list
  from counted
  window s as (partition by subscription_id, span_number order by is_charge)
),
charge as (
  select carried.charge_id, carried.customer_key, carried.subscription_id, carried.currency, carried.charge_date, carried.service_month,
    carried.amount_cents, coalesce(carried.plan, carried.held_plan) as plan,
    case when carried.plan is null then carried.held_plan_key else carried.item_plan_key end as plan_key,
    carried.held_price_list as price_list, carried.entered_at as paid_at, coalesce(:rate_day, cast(carried.entered_at as date)) as paid_on,
    case when carried.currency = :base_currency or carried.amount_cents = 0 then carried.amount_cents
      else fn.converted(carried.amount_cents, rate.rate) end as amount_base_cents
  from carried
  left join relation.fx_rate as rate on rate.currency = carried.currency and rate.day = coalesce(:rate_day, cast(carried.entered_at as date))
  where carried.is_charge = 1
),
measure as (
  select fact.currency as fact_currency, fact.amount_cents, fact.amount_base_cents, fact.paid_on,
    case when fact.amount_cents <> 0 and fact.amount_base_cents is null then 1 else 0 end as unrated,
    case when :step = 'day' then fact.charge_date
      when :step = 'month' then fn.month_start(fact.charge_date)
      else cast(:start as date) end as bucket
    /*{dimensions}*/
  from charge as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select bucket, fact_currency, sum(amount_cents) as revenue_sum, sum(amount_base_cents) as revenue_base_sum,
  0 as unpriced_count, sum(unrated) as unrated_count,
  min(case when unrated = 1 then paid_on end) as unrated_from, max(case when unrated = 1 then paid_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, fact_currency /*{group_by}*/
