-- metric: churn
-- query:  revenue
-- reads:  start_cohort
-- MRR just before each period and the churn movements in it, over the start cohort (D43, D44). Used by revenue, revenue_events and the
-- amounts of detail.
with measure as (
  select fact.period_index, fact.currency as fact_currency, fact.fixed_on, fact.unpriced, fact.unrated,
    case when fact.is_member = 1 then fact.start_amount else 0 end as start_part,
    case when fact.is_member = 1 and fact.movement_type = 'churn' then fact.amount else 0 end as churn_part,
    case when fact.is_member = 1 and fact.movement_type = 'churn' then 1 else 0 end as churn_row
    /*{dimensions}*/
  from relation.start_cohort as fact
  /*{joins}*/
  where (fact.movement_type is null or fact.movement_type = 'churn')
  /*{filters}*/
)
select period_index, fact_currency, sum(start_part) as start_sum, sum(churn_part) as churn_sum, sum(churn_row) as churn_rows,
  sum(unpriced) as unpriced_count, sum(unrated) as unrated_count,
  min(case when unrated = 1 then fixed_on end) as unrated_from, max(case when unrated = 1 then fixed_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by period_index, fact_currency /*{group_by}*/
