-- relation: ledger_payer
-- reads:    customer
-- Every customer pays its own invoices. Without a payment provider, the engine tries no payment (R27).
select customer.customer_key, case when customer.collection_method = 'manual' then 'no_payment_method' end as obstacle
from relation.customer as customer
