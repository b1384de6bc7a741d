-- metric: involuntary_churn
-- query:  revenue
-- reads:  start_cohort, payment_trouble
-- Churn movements of the start cohort in each period (D43, D44), and whether the customer did not pay at that instant (R28).
with measure as (
  select fact.period_index, fact.currency as fact_currency, fact.fixed_on, fact.unpriced, fact.unrated, trouble.cause as trouble_cause,
    case when fact.is_member = 1 then fact.amount else 0 end as churn_part,
    case when fact.is_member = 1 and trouble.cause is not null then fact.amount else 0 end as involuntary_part
    /*{dimensions}*/
  from relation.start_cohort as fact
  left join relation.payment_trouble as trouble on trouble.customer_key = fact.customer_key and trouble.valid_from <= fact.occurred_at
    and trouble.valid_to > fact.occurred_at
  /*{joins}*/
  where fact.movement_type = 'churn'
  /*{filters}*/
)
select period_index, fact_currency, sum(churn_part) as churn_sum, sum(involuntary_part) as involuntary_sum, sum(unpriced) as unpriced_count,
  sum(unrated) as unrated_count, min(case when unrated = 1 then fixed_on end) as unrated_from,
  max(case when unrated = 1 then fixed_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by period_index, fact_currency /*{group_by}*/
