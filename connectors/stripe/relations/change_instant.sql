-- relation: change_instant
-- reads:    subscription_fact, stripe_life, stripe_invoice, stripe_refund, customer
-- Instants at which rules about now change rows of a customer: changes of subscriptions, also planned ones, creations and payments of
-- invoices, and refunds.
select fact.customer_key, fact.fact_at as changes_at
from relation.subscription_fact as fact
union
select life.customer_key, life.planned_end_at
from relation.stripe_life as life
where life.planned_end_at is not null
union
select customer.customer_key, case moment.kind when 'created' then billed.created_at else billed.paid_at end
from relation.stripe_invoice as billed
join relation.customer as customer on customer.customer_key = billed.customer_id
cross join (select 'created' as kind union all select 'paid') as moment
where moment.kind = 'created' or billed.paid_at is not null
union
select customer.customer_key, returned.refunded_at
from relation.stripe_refund as returned
join relation.customer as customer on customer.customer_key = returned.customer_id
