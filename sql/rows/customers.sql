-- metric: rows
-- query:  customers
-- reads:  customer
-- param:  before timestamp
-- unsliced
-- Customers created before :before, with their current values (D15, D61).
select fact.source_id, fact.customer_id, fact.external_key, fact.customer_name, fact.email, fact.customer_country, fact.currency,
  fact.created_at
from relation.customer as fact
where fact.created_at < :before
