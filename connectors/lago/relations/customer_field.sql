-- relation: customer_field
-- reads:    customer
-- Metadata of customers. Keys are unique for each customer.
select customer.customer_key, customer.source_id, customer.customer_id, note.key as attribute_key, note.value as attribute_value,
  false as is_tag, row_number() over (partition by note.customer_id order by note.created_at, note.id) as position_in_engine
from relation.customer as customer
join customer_metadata as note on note.customer_id = customer.customer_key
