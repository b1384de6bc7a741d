-- metric: data
-- query:  attribute_definitions
-- reads:  customer_attribute
-- unsliced
-- Each attribute of the billing engine with its oldest value, which decides its type. It also tells if a value has a leading zero that a number
-- would lose.
with aged as (
  select fact.attribute_key, fact.attribute_value, fact.is_tag,
    row_number() over (partition by fact.attribute_key order by fact.position_in_engine) as age,
    max(case when fact.attribute_value like '0_%' and fact.attribute_value not like '0.%' then 1 else 0 end)
      over (partition by fact.attribute_key) as has_leading_zero
  from relation.customer_attribute as fact
  where 1 = 1
  /*{filters}*/
)
select attribute_key, attribute_value, is_tag, has_leading_zero
from aged
where age = 1
