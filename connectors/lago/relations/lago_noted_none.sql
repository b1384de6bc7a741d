-- relation: lago_noted_none
-- reads:    customer
-- Takes the place of lago_noted where the ledger is not known.
select customer.customer_key, fn.whole_second(note.refunded_at) as noted_at
from credit_notes as note
join relation.customer as customer on customer.customer_key = note.customer_id
where 1 = 0
