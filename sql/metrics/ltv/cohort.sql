-- metric: ltv
-- query:  cohort
-- reads:  mrr_span, paid_amount, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  first_month date
-- param:  last_month date
-- param:  base_currency text
-- param:  unit text
-- param:  rate_day date
-- param:  cohorts_end timestamp
-- Monthly cohorts by the first instant with MRR above 0 (D51), with what their members paid between :start and :end (D54), each
-- at the rate of its payment day (D13). A member has a row for each currency in which it had MRR, and one for each amount in the currency of
-- its invoice. A customer with an unpriced span before any MRR may belong to another cohort (D26). The window must begin before all spans.
with first_step as (
  select span.customer_key, span.currency, min(case when span.mrr_cents > 0 then span.valid_from end) as paying_from,
    min(case when span.is_unpriced = true then span.valid_from end) as unpriced_from
  from relation.mrr_span as span
  where span.mrr_cents > 0 or span.is_unpriced = true
  group by span.customer_key, span.currency
),
placed as (
  select first_step.customer_key, first_step.currency, min(first_step.paying_from) over c as paying_from,
    min(first_step.unpriced_from) over c as unpriced_from,
    row_number() over (partition by first_step.customer_key order by first_step.currency) as place
  from first_step
  window c as (partition by first_step.customer_key)
),
payer as (
  select placed.customer_key, placed.currency, placed.place, fn.month_start(fn.clock(placed.paying_from)) as first_month,
    case when placed.unpriced_from < coalesce(placed.paying_from, :cohorts_end) then 1 else 0 end as unpriced
  from placed
),
paid as (
  select amount.customer_key, amount.invoice_id, amount.paid_at, amount.amount_cents, amount.currency,
    case when amount.currency = :base_currency or amount.amount_cents = 0 then amount.amount_cents
      else fn.converted(amount.amount_cents, rate.rate) end as amount_base_cents
  from relation.paid_amount as amount
  left join relation.fx_rate as rate on rate.currency = amount.currency and rate.day = coalesce(:rate_day, cast(amount.paid_at as date))
  where amount.paid_at >= :start and amount.paid_at < :end
),
member as (
  select payer.customer_key, payer.first_month, payer.unpriced, kind.is_payment,
    case when kind.is_payment = 1 then paid.currency else payer.currency end as currency,
    paid.invoice_id, paid.paid_at, paid.amount_cents, paid.amount_base_cents
  from payer
  cross join (select 0 as is_payment union all select 1) as kind
  left join paid on paid.customer_key = case when kind.is_payment = 1 and payer.place = 1 then payer.customer_key end
  where kind.is_payment = 0 or paid.invoice_id is not null
),
rated as (
  select member.*, case when member.amount_cents <> 0 and member.amount_base_cents is null then 1 else 0 end as unrated
  from member
),
measure as (
  select fact.first_month as member_month, fact.customer_key as member_key, fact.is_payment, fact.unpriced,
    case when :unit = 'base' and fact.unrated = 0 then null else fact.currency end as fact_currency,
    fact.amount_cents, fact.amount_base_cents, coalesce(:rate_day, cast(fact.paid_at as date)) as paid_on, fact.unrated
    /*{dimensions}*/
  from rated as fact
  /*{joins}*/
  where coalesce(fact.first_month, :last_month) >= :first_month and (fact.first_month <= :last_month or fact.unpriced = 1)
  /*{filters}*/
)
select member_month, fact_currency, count(distinct case when is_payment = 0 then member_key end) as member_count,
  sum(case when event_matched = 1 then amount_cents else 0 end) as paid_sum,
  sum(case when event_matched = 1 then amount_base_cents else 0 end) as paid_base_sum,
  count(distinct case when is_payment = 0 and unpriced = 1 then member_key end) as unpriced_count,
  sum(unrated) as unrated_count,
  min(case when unrated = 1 then paid_on end) as unrated_from, max(case when unrated = 1 then paid_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by member_month, fact_currency /*{group_by}*/
