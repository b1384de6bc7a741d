-- metric: data
-- query:  customers_wanted
-- reads:  customer
-- unsliced
-- Customers by any of their names, many at once.
select fact.source_id, fact.customer_id, fact.external_key, fact.email
from relation.customer as fact
where 1 = 1
/*{filters}*/
