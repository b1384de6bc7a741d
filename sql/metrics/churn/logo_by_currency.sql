-- metric: churn
-- query:  logo_by_currency
-- reads:  customer_activity, period, mrr_span
-- The figures of logo.sql by the currencies in which customers are live just before each period (D61). A customer that is live in several
-- currencies has a row for each, so customers are counted distinct.
with member as (
  select period.period_index, period.starts_at, activity.customer_key,
    max(case when activity.valid_from < period.starts_at then 1 else 0 end) as was_live,
    max(case when activity.valid_from < period.ends_before
      and (activity.valid_to is null or activity.valid_to >= period.ends_before) then 1 else 0 end) as stays_live,
    min(case when activity.is_churn = true and activity.valid_to >= period.starts_at and activity.valid_to < period.ends_before
      then activity.valid_to end) as churned_at
  from relation.customer_activity as activity
  join relation.period as period
    on activity.valid_from < period.ends_before and (activity.valid_to is null or activity.valid_to >= period.starts_at)
  group by period.period_index, period.starts_at, activity.customer_key
),
priced as (
  select distinct member.period_index, member.starts_at, member.customer_key, member.stays_live, member.churned_at, span.currency
  from member
  join relation.mrr_span as span on span.customer_key = member.customer_key
    and span.valid_from < member.starts_at and (span.valid_to is null or span.valid_to >= member.starts_at)
  where member.was_live = 1 and span.is_live = true
),
measure as (
  select fact.period_index, fact.customer_key as member_key, fact.churned_at as left_at, fact.stays_live
    /*{dimensions}*/
  from priced as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select period_index, count(distinct member_key) as active_count,
  count(distinct case when left_at is not null then member_key end) as churn_count,
  min(left_at) as first_left_at, max(stays_live) as stays_live
  /*{dimension_names}*/
from measure
group by period_index /*{group_by}*/
