-- relation: customer_attribute
-- Custom fields and tags. If a field has the name of a tag of any account, the tag wins.
select held.customer_key, held.source_id, held.customer_id, held.attribute_key, held.attribute_value, held.is_tag,
  held.position_in_engine
from cached_customer_attribute as held
where held.is_tag = true or not exists (
  select 1 from cached_customer_attribute as tag where tag.is_tag = true and tag.attribute_key = held.attribute_key
)
