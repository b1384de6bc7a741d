-- metric: data
-- query:  common_attribute_values
-- reads:  customer_attribute
-- param:  most integer
-- unsliced
-- Values of the billing engine's attributes that several customers share, most common first for each attribute.
with shared as (
  select fact.attribute_key, fact.attribute_value, count(*) as holder_count
  from relation.customer_attribute as fact
  group by fact.attribute_key, fact.attribute_value
  having count(*) > 1
),
placed as (
  select shared.attribute_key, shared.attribute_value,
    row_number() over (partition by shared.attribute_key order by shared.holder_count desc, shared.attribute_value) as place
  from shared
)
select attribute_key, attribute_value
from placed
where place <= :most
order by attribute_key, place
