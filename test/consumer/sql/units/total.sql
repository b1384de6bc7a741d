-- metric: units
-- query:  total
-- reads:  mrr_span
-- param:  at timestamp
-- Units of the subscriptions that are live just before :at.
with measure as (
  select fact.currency as fact_currency, fact.quantity /*{dimensions}*/
  from relation.mrr_span as fact
  /*{joins}*/
  where fact.is_live = true and fact.valid_from < :at and (fact.valid_to is null or fact.valid_to >= :at)
  /*{filters}*/
)
select fact_currency, sum(quantity) as unit_sum /*{dimension_names}*/
from measure
group by fact_currency /*{group_by}*/
