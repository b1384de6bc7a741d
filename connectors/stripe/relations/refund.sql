-- relation: refund
-- reads:    stripe_refund, stripe_invoice, customer
-- needs:    stripe_refund
-- param:    now timestamp
-- Money that went back to customers after they had paid an invoice: refunds, and disputes that were lost (S23). A credit note alone changes nothing.
select customer.customer_key, returned.invoice_id, returned.currency, returned.refunded_at, fn.integer(sum(returned.amount_cents)) as amount_cents
from relation.stripe_refund as returned
join relation.stripe_invoice as billed on billed.invoice_id = returned.invoice_id
join relation.customer as customer on customer.customer_key = billed.customer_id
where billed.status = 'paid' and billed.paid_at <= :now and returned.refunded_at > billed.paid_at and returned.refunded_at <= :now
group by customer.customer_key, returned.invoice_id, returned.currency, returned.refunded_at
