-- metric: data
-- query:  attribute_definitions
-- reads:  customer_attribute
-- unsliced
-- Each attribute of the engine with its oldest value, which decides its type.
with aged as (
  select fact.attribute_key, fact.attribute_value, fact.is_tag,
    row_number() over (partition by fact.attribute_key order by fact.position_in_engine) as age
  from relation.customer_attribute as fact
  where 1 = 1
  /*{filters}*/
)
select attribute_key, attribute_value, is_tag
from aged
where age = 1
