-- metric: mrr
-- query:  unpriced_subscriptions
-- reads:  mrr_span
-- param:  start timestamp
-- param:  end timestamp
-- Subscriptions without a price among the spans of the levels between :start and :end (D26). `explain` lists them.
with measure as (
  select fact.subscription_id as missing_subscription
    /*{dimensions}*/
  from relation.mrr_span as fact
  /*{joins}*/
  where fact.is_unpriced = true and fact.valid_from < :end and (fact.valid_to is null or fact.valid_to >= :start)
  /*{filters}*/
)
select missing_subscription
from measure
group by missing_subscription
