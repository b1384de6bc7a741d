-- metric: data
-- query:  customers_wanted
-- reads:  customer
-- unsliced
-- Many customers at once, by any of the values that identify a customer.
select fact.source_id, fact.customer_id, fact.external_key, fact.email
from relation.customer as fact
where 1 = 1
/*{filters}*/
