-- metric: data
-- query:  span_field_values
-- reads:  mrr_span
-- param:  before timestamp
-- The distinct values of a field among the spans just before an instant. The slot `dimensions` gives the field the name
-- attribute_value.
with held as (
  select fact.customer_key /*{dimensions}*/
  from relation.mrr_span as fact
  /*{joins}*/
  where fact.valid_from < :before and (fact.valid_to is null or fact.valid_to >= :before)
  /*{filters}*/
)
select distinct held.attribute_value
from held
where held.attribute_value is not null
