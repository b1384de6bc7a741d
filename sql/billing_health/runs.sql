-- metric: billing_health
-- query:  runs
-- reads:  billing_run, customer
-- unsliced
-- Runs of the days of findings, in the order of their days.
select customer.source_id, fact.subscription_id, fact.class, fact.from_day as first_number, fact.to_day as end_number,
  fact.agreed as agreed_cents, fact.billed as billed_cents, fact.quantity, fact.billed_quantity, fact.price_number
from relation.billing_run as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
where fact.class not in ('healthy', 'unpriced', 'not_due')
/*{filters}*/
order by fact.from_day
