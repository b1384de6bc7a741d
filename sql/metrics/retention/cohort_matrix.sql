-- metric: retention
-- query:  cohort_matrix
-- reads:  customer_activity, period
-- param:  first_month date
-- param:  last_month date
-- Customers of each monthly cohort that are live just before the end of each later month (D47, D48). The first month of a cohort
-- counts all its customers, so it gives the size of the cohort. The window must begin before all spans.
with dated as (
  select activity.*, fn.month_start(min(fn.clock(activity.valid_from)) over (partition by activity.customer_key)) as cohort_month
  from relation.customer_activity as activity
),
measure as (
  select fact.cohort_month as member_month, fact.customer_key as member_key, period.period_index, period.month
    /*{dimensions}*/
  from dated as fact
  join relation.period as period
    on period.month = fact.cohort_month
      or (period.month > fact.cohort_month and fact.valid_from < period.ends_before
        and (fact.valid_to is null or fact.valid_to >= period.ends_before))
  /*{joins}*/
  where fact.cohort_month >= :first_month and fact.cohort_month <= :last_month
  /*{filters}*/
)
select member_month, period_index, count(distinct member_key) as active_count
  /*{dimension_names}*/
from measure
group by member_month, period_index /*{group_by}*/
