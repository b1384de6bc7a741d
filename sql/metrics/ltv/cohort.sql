-- metric: ltv
-- query:  cohort
-- reads:  mrr_span, invoice, fx_rate
-- param:  start timestamp
-- param:  end timestamp
-- param:  first_month date
-- param:  last_month date
-- param:  base_currency text
-- param:  cohorts_end timestamp
-- Monthly cohorts by the first instant with MRR above 0 (D51), with the invoices that their members paid between :start and :end (D54), each
-- at the rate of its payment day (D13). A customer with an unpriced span before any MRR may belong to another cohort (D26). The window must
-- begin before all spans.
with first_step as (
  select span.customer_key, max(span.currency) as currency, min(case when span.mrr_cents > 0 then span.valid_from end) as paying_from,
    min(case when span.is_unpriced = true then span.valid_from end) as unpriced_from
  from relation.mrr_span as span
  where span.mrr_cents > 0 or span.is_unpriced = true
  group by span.customer_key
),
payer as (
  select customer_key, currency, fn.month_start(paying_from) as first_month,
    case when unpriced_from < coalesce(paying_from, :cohorts_end) then 1 else 0 end as unpriced
  from first_step
),
paid as (
  select invoice.customer_key, invoice.invoice_id, invoice.paid_at, invoice.amount_cents, invoice.currency,
    case when invoice.currency = :base_currency or invoice.amount_cents = 0 then invoice.amount_cents
      else fn.converted(invoice.amount_cents, rate.rate) end as amount_base_cents
  from relation.invoice as invoice
  left join relation.fx_rate as rate on rate.currency = invoice.currency and rate.day = cast(invoice.paid_at as date)
  where invoice.paid_at >= :start and invoice.paid_at < :end
),
member as (
  select payer.customer_key, payer.currency, payer.first_month, payer.unpriced, paid.invoice_id, paid.currency as paid_currency,
    paid.paid_at, paid.amount_cents, paid.amount_base_cents,
    row_number() over (partition by payer.customer_key order by paid.paid_at) as paid_number
  from payer
  left join paid on paid.customer_key = payer.customer_key
),
measure as (
  select fact.first_month as member_month, fact.currency as fact_currency, fact.paid_number, fact.unpriced,
    fact.amount_cents, fact.amount_base_cents, cast(fact.paid_at as date) as paid_on,
    case when fact.amount_cents <> 0 and fact.amount_base_cents is null then 1 else 0 end as unrated
    /*{dimensions}*/
  from member as fact
  /*{joins}*/
  where coalesce(fact.first_month, :last_month) >= :first_month and (fact.first_month <= :last_month or fact.unpriced = 1)
  /*{filters}*/
)
select member_month, fact_currency, sum(case when paid_number = 1 then 1 else 0 end) as member_count,
  sum(case when event_matched = 1 then amount_cents else 0 end) as paid_sum,
  sum(case when event_matched = 1 then amount_base_cents else 0 end) as paid_base_sum,
  sum(case when paid_number = 1 then unpriced else 0 end) as unpriced_count,
  sum(unrated) as unrated_count,
  min(case when unrated = 1 then paid_on end) as unrated_from, max(case when unrated = 1 then paid_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by member_month, fact_currency /*{group_by}*/
