-- relation: customer_field
select held.customer_key, held.source_id, held.customer_id, held.attribute_key, held.attribute_value, held.is_tag,
  held.position_in_engine
from cached_customer_field as held
