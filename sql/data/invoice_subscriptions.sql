-- metric: data
-- query:  invoice_subscriptions
-- reads:  invoice_subscription
-- unsliced
-- The subscriptions of the invoices of a page.
select fact.invoice_id, fact.subscription_id
from relation.invoice_subscription as fact
where 1 = 1
  /*{filters}*/
