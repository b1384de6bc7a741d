-- metric: churn
-- query:  logo
-- reads:  customer_activity, period
-- Customers live just before each period, and their first logo churn event in it (D39 to D42). Used by logo and detail.
-- logo_by_currency.sql serves groups and filters by currency.
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
measure as (
  select fact.period_index, fact.churned_at as left_at, fact.stays_live
    /*{dimensions}*/
  from member as fact
  /*{joins}*/
  where fact.was_live = 1
  /*{filters}*/
)
select period_index, count(*) as active_count, sum(case when left_at is not null then 1 else 0 end) as churn_count,
  min(left_at) as first_left_at, max(stays_live) as stays_live
  /*{dimension_names}*/
from measure
group by period_index /*{group_by}*/
