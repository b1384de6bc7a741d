-- metric: data
-- query:  attribute_values
-- reads:  customer_attribute
-- unsliced
-- Values of the billing engine's attributes, in no order.
select fact.source_id, fact.customer_id, fact.attribute_key, fact.attribute_value
from relation.customer_attribute as fact
where 1 = 1
/*{filters}*/
