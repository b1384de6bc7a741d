-- relation: usage_charge
-- reads:    stripe_line, stripe_invoice, customer, month_step
-- param:    now timestamp
-- Metered lines of paid invoices (S20). Days are UTC. A period of several months is split as D55 says.
with dated as (
  select line.line_id as charge_id, customer.customer_key, line.subscription_id, line.currency, line.amount_cents as cents, billed.paid_at,
    cast(line.starts_at as date) as starts_on,
    case when fn.months_between(line.starts_at, line.ends_at) > 1 then fn.months_between(line.starts_at, line.ends_at) else 1 end as month_count
  from relation.stripe_line as line
  join relation.stripe_invoice as billed on billed.invoice_id = line.invoice_id
  join relation.customer as customer on customer.customer_key = line.customer_id
  where line.kind = 'usage' and billed.status = 'paid' and billed.paid_at <= :now
),
share as (
  select dated.*, month_step.step as month_offset, fn.int_div(dated.cents, dated.month_count) as month_cents
  from dated
  join relation.month_step as month_step on month_step.span = dated.month_count
)
select share.customer_key, share.charge_id, share.subscription_id, null as plan, share.currency, share.paid_at,
  case when share.month_offset = 0 then share.starts_on
    else cast(fn.add_period(fn.month_start(share.starts_on), share.month_offset, 0) as date) end as charge_date,
  case when share.month_offset = 0 then fn.month_start(share.starts_on)
    else cast(fn.add_period(fn.month_start(share.starts_on), share.month_offset, 0) as date) end as service_month,
  case when share.month_offset = share.month_count - 1 then share.cents - share.month_cents * (share.month_count - 1)
    else share.month_cents end as amount_cents
from share
