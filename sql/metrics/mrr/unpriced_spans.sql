-- metric: mrr
-- query:  unpriced_spans
-- reads:  mrr_span, plan
-- param:  start timestamp
-- param:  end timestamp
-- Plans without a price among the spans of the levels between :start and :end (D26). The error `unpriced_plan` lists them.
with measure as (
  select coalesce(known.plan_id, fact.plan) as missing_plan, fact.currency as fact_currency, fact.subscription_id as missing_subscription
    /*{dimensions}*/
  from relation.mrr_span as fact
  left join relation.plan as known on known.plan_key = fact.plan_key
  /*{joins}*/
  where fact.is_unpriced = true and fact.valid_from < :end and (fact.valid_to is null or fact.valid_to >= :start)
  /*{filters}*/
)
select missing_plan, fact_currency, count(distinct missing_subscription) as subscription_count
from measure
group by missing_plan, fact_currency
