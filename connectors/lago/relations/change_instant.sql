-- relation: change_instant
-- reads:    subscription_fact, lago_noted, lago_settlement, lago_piece, customer
-- Instants at which rules about now change rows of a customer: changes of subscriptions, and creations and payments of invoices and fees.
-- The books also compare the end of a draft, credit notes and payments with now. Those
-- that are planned, or dated later than now, count too.
select fact.customer_key, fact.fact_at as changes_at
from relation.subscription_fact as fact
union
select piece.customer_key, fn.whole_second(piece.planned_end_at)
from relation.lago_piece as piece
where piece.planned_end_at is not null
union
select invoice.customer_id, fn.whole_second(invoice.created_at)
from invoices as invoice
join relation.customer as customer on customer.customer_key = invoice.customer_id
union
select settlement.customer_key, settlement.paid_at
from relation.lago_settlement as settlement
union
select customer.customer_key, fn.whole_second(note.refunded_at)
from credit_notes as note
join relation.customer as customer on customer.customer_key = note.customer_id
where note.refund_amount_cents > 0 and note.refunded_at is not null
union
select customer.customer_key, fn.whole_second(invoice.payment_dispute_lost_at)
from invoices as invoice
join relation.customer as customer on customer.customer_key = invoice.customer_id
where invoice.payment_dispute_lost_at is not null
union
select piece.customer_key, fn.whole_second(fee.succeeded_at)
from fees as fee
join relation.lago_piece as piece on piece.row_key = fee.subscription_id
where fee.fee_type = 0 and fee.succeeded_at is not null
union
select customer.customer_key, fn.whole_second(invoice.finalized_at)
from invoices as invoice
join relation.customer as customer on customer.customer_key = invoice.customer_id
where invoice.finalized_at is not null
union
select noted.customer_key, noted.noted_at
from relation.lago_noted as noted
union
select customer.customer_key, fn.whole_second(case side.step when 0 then payment.created_at else payment.updated_at end)
from payments as payment
join relation.customer as customer on customer.customer_key = payment.customer_id
cross join (select 0 as step union all select 1) as side
