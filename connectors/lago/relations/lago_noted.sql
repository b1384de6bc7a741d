-- relation: lago_noted
-- reads:    customer
-- Instants at which credit notes were created, which only the books compare with now.
select customer.customer_key, fn.whole_second(note.created_at) as noted_at
from credit_notes as note
join relation.customer as customer on customer.customer_key = note.customer_id
