-- relation: customer_field
-- reads:    customer
-- The one attribute that the engine has.
select customer.customer_key, customer.source_id, customer.customer_id, 'sector' as attribute_key, buyer.sector as attribute_value,
  false as is_tag, 1 as position_in_engine
from relation.customer as customer
join toy_customer as buyer on buyer.id = customer.customer_key
where buyer.sector is not null
