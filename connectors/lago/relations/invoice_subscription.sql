-- relation: invoice_subscription
-- reads:    lago_piece
-- Subscriptions of an invoice. Changes of plan put several on one.
select distinct fn.text(billed.invoice_id) as invoice_id, piece.subscription_id
from invoice_subscriptions as billed
join relation.lago_piece as piece on piece.row_key = billed.subscription_id
