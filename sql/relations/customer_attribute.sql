-- relation: customer_attribute
-- reads:    customer_field
-- The attributes of customers. A field is left out if it has the name of a tag (`tag.X`) of any customer, even of another one.
select named.customer_key, named.source_id, named.customer_id, named.attribute_key, named.attribute_value, named.is_tag,
  named.position_in_engine
from (
  select field.*,
    max(case when field.is_tag = true then 1 else 0 end) over (partition by field.attribute_key) as is_name_of_tag
  from relation.customer_field as field
) as named
where named.is_tag = true or named.is_name_of_tag = 0
