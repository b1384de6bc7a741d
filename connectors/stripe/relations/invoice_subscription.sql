-- relation: invoice_subscription
-- reads:    stripe_line, stripe_invoice, stripe_life
-- Subscriptions of an invoice: its own, and those of its lines.
with named as (
  select line.invoice_id, line.subscription_id
  from relation.stripe_line as line
  union
  select billed.invoice_id, billed.subscription_id
  from relation.stripe_invoice as billed
  where billed.subscription_id is not null
)
select named.invoice_id, named.subscription_id
from named
join relation.stripe_life as life on life.subscription_id = named.subscription_id
