-- metric: evidence
-- query:  usage_charges
-- reads:  usage_charge
-- unsliced
-- Usage charges (D55) of the subscriptions of a page.
select fact.subscription_id, fact.charge_id, fact.paid_at, fact.service_month, fact.currency, fact.amount_cents
from relation.usage_charge as fact
where 1 = 1
  /*{filters}*/
