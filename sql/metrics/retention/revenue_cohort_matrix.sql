-- metric: retention
-- query:  revenue_cohort_matrix
-- reads:  mrr_span, period
-- param:  first_month date
-- param:  last_month date
-- param:  unit text
-- MRR of each monthly cohort just before the end of each month, and the part of it that no customer gained since the first month (D71). A span
-- also has a row in the first month of its customer, with part 0 if it is not in force at the end. So each customer has an MRR to compare with.
-- A customer that pays in several currencies counts once: base amounts have a currency only where they lack its rate. The window must begin
-- before all spans.
with dated as (
  select span.customer_key, span.subscription_id, span.currency, span.valid_from, span.valid_to, span.is_unpriced,
    case when :unit = 'base' then span.mrr_base_cents else span.mrr_cents end as amount,
    case when span.subscription_mrr_cents <> 0 and span.subscription_mrr_base_cents is null then span.subscription_fixed_on end
      as subscription_gap,
    case when span.usage_mrr_cents <> 0 and span.usage_mrr_base_cents is null then span.usage_fixed_on end as usage_gap,
    fn.month_start(min(case when span.is_live = true then fn.clock(span.valid_from) end) over (partition by span.customer_key)) as cohort_month
  from relation.mrr_span as span
),
placed as (
  select dated.*, period.period_index, case when period.month = dated.cohort_month then 1 else 0 end as is_first,
    case when dated.valid_from < period.ends_before and (dated.valid_to is null or dated.valid_to >= period.ends_before) then 1
      else 0 end as is_held
  from dated
  join relation.period as period
    on period.month = dated.cohort_month
      or (period.month > dated.cohort_month and dated.valid_from < period.ends_before
        and (dated.valid_to is null or dated.valid_to >= period.ends_before))
  where dated.cohort_month >= :first_month and dated.cohort_month <= :last_month
),
measure as (
  select fact.cohort_month as member_month, fact.customer_key as member_key, fact.period_index, fact.is_first,
    case when :unit = 'base' and (fact.is_held = 0 or (fact.subscription_gap is null and fact.usage_gap is null)) then null
      else fact.currency end as fact_currency,
    case when fact.is_held = 1 then fact.amount else 0 end as part,
    case when fact.is_held = 1 and fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.is_held = 1 then fact.subscription_gap end as subscription_gap,
    case when fact.is_held = 1 then fact.usage_gap end as usage_gap
    /*{dimensions}*/
  from placed as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
),
member as (
  select member_month, member_key, fact_currency, period_index, is_first, coalesce(sum(part), 0) as amount, sum(unpriced) as unpriced,
    sum(case when subscription_gap is null then 0 else 1 end + case when usage_gap is null then 0 else 1 end) as unrated,
    min(case when usage_gap < subscription_gap then usage_gap else coalesce(subscription_gap, usage_gap) end) as unrated_from,
    max(case when usage_gap > subscription_gap then usage_gap else coalesce(subscription_gap, usage_gap) end) as unrated_through
    /*{dimension_names}*/
  from measure
  group by member_month, member_key, fact_currency, period_index, is_first /*{group_by}*/
),
started as (
  select member.*, max(case when is_first = 1 then amount end) over (partition by member_key, fact_currency) as start_amount
  from member
)
select member_month, period_index, fact_currency, sum(amount) as mrr_sum,
  sum(case when amount < start_amount then amount else start_amount end) as kept_sum, sum(unpriced) as unpriced_count,
  sum(unrated) as unrated_count, min(unrated_from) as unrated_from, max(unrated_through) as unrated_through
  /*{dimension_names}*/
from started
group by member_month, period_index, fact_currency /*{group_by}*/
