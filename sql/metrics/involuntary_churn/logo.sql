-- metric: involuntary_churn
-- query:  logo
-- reads:  customer_activity, payment_trouble, period
-- Customers live just before each period, their first logo churn event in it (D39 to D42), and whether they did not pay at that instant (R28).
with member as (
  select period.period_index, period.starts_at, activity.customer_key,
    max(case when activity.valid_from < period.starts_at then 1 else 0 end) as was_live,
    min(case when activity.is_churn = true and activity.valid_to >= period.starts_at and activity.valid_to < period.ends_before
      then activity.valid_to end) as churned_at
  from relation.customer_activity as activity
  join relation.period as period
    on activity.valid_from < period.ends_before and (activity.valid_to is null or activity.valid_to >= period.starts_at)
  group by period.period_index, period.starts_at, activity.customer_key
),
measure as (
  select fact.period_index, fact.churned_at as left_at, trouble.cause as trouble_cause
    /*{dimensions}*/
  from member as fact
  left join relation.payment_trouble as trouble on trouble.customer_key = fact.customer_key and trouble.valid_from <= fact.churned_at
    and trouble.valid_to > fact.churned_at
  /*{joins}*/
  where fact.was_live = 1
  /*{filters}*/
)
select period_index, count(*) as active_count, sum(case when left_at is not null then 1 else 0 end) as churn_count,
  sum(case when trouble_cause is not null then 1 else 0 end) as involuntary_count
  /*{dimension_names}*/
from measure
group by period_index /*{group_by}*/
