-- metric: data
-- query:  attribute_holders
-- reads:  customer
-- unsliced
-- The customers, each with its number of attributes in the billing engine. The request joins `owned`.
select fact.source_id, fact.customer_id, fact.external_key, fact.customer_name, fact.email, coalesce(owned.value_count, 0) as value_count
from relation.customer as fact
/*{joins}*/
where 1 = 1
/*{filters}*/
