-- metric: data
-- query:  customer_field_values
-- reads:  customer
-- The distinct values of a field among the customers. The slot `dimensions` gives the field the name attribute_value.
with held as (
  select fact.customer_key /*{dimensions}*/
  from relation.customer as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select distinct held.attribute_value
from held
where held.attribute_value is not null
