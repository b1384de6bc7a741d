-- relation: customer_field
-- reads:    customer, stripe_metadata
-- Metadata of customers (S3). Keys are unique for each customer.
select customer.customer_key, customer.source_id, customer.customer_id, note.attribute_key, note.attribute_value, false as is_tag,
  note.position as position_in_engine
from relation.customer as customer
join relation.stripe_metadata as note on note.customer_id = customer.customer_key
where note.attribute_value is not null
