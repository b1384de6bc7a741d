-- metric: billing_health
-- query:  evidence
-- reads:  billing_evidence, customer
-- unsliced
-- Rows of the billing database about some subscriptions.
select customer.source_id, fact.subscription_id, fact.table_name, fact.row_key, fact.row_id, fact.occurred_at, fact.row_kind, fact.detail,
  fact.from_on, fact.to_on, fact.amount_cents, fact.quantity, fact.priced_on, customer.currency
from relation.billing_evidence as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
where 1 = 1
/*{filters}*/
