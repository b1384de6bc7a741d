-- metric: data
-- query:  ledger_schedule
-- reads:  ledger_state, customer
-- unsliced
-- Revenue of charges at the end of each day of `ledger_day` (R9, R10).
select fact.charge_id, fact.day_index, fact.net_cents, fact.whole, fact.done_at as done, fact.at_cents, fact.deferred_cents, fact.unbilled_cents
from relation.ledger_state as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
where fact.is_at = 1
/*{filters}*/
order by fact.charge_id, fact.day_index
