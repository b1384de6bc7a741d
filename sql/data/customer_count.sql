-- metric: data
-- query:  customer_count
-- reads:  customer
-- unsliced
-- The number of customers that count (D15, D16).
select count(*) as customers
from relation.customer as fact
