-- relation: ledger_attempt
-- reads:    lago_ledger_invoice, zone_offset
-- param:    now timestamp
-- Attempts to collect invoices of the books (R27): payments through a provider, each at its creation. Manual payments are none. The payment of a payment
-- request is an attempt to collect each of its invoices in full. The codes of providers are not read.
with tried as (
  select payment.id as payment_key, invoice.invoice_key, invoice.customer_key, invoice.currency, invoice.factor, invoice.time_zone,
    fn.text(payment.payable_payment_status) as state, fn.whole_second(payment.created_at) as attempted_at, payment.amount_cents as amount
  from payments as payment
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = payment.payable_id
  where payment.payable_type = 'Invoice' and fn.text(payment.payment_type) <> 'manual' and payment.created_at <= :now
  union all
  select payment.id, invoice.invoice_key, invoice.customer_key, invoice.currency, invoice.factor, invoice.time_zone,
    fn.text(payment.payable_payment_status), fn.whole_second(payment.created_at), invoice.total
  from payments as payment
  join invoices_payment_requests as covered on covered.payment_request_id = payment.payable_id
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = covered.invoice_id
  where payment.payable_type = 'PaymentRequest' and fn.text(payment.payment_type) <> 'manual' and payment.created_at <= :now
),
dated as (
  select tried.*, cast(fn.add_seconds(tried.attempted_at, coalesce(zone.offset_seconds, 0)) as date) as attempted_on
  from tried
  left join relation.zone_offset as zone on zone.time_zone = tried.time_zone and tried.attempted_at >= zone.from_at
    and tried.attempted_at < zone.to_at
)
select dated.customer_key, concat(fn.text(dated.payment_key), ' ', fn.text(dated.invoice_key)) as attempt_id, fn.text(dated.invoice_key) as invoice_id,
  dated.currency, fn.converted(dated.amount, dated.factor) as amount_cents, dated.attempted_at, dated.attempted_on,
  row_number() over (partition by dated.invoice_key order by dated.attempted_at, dated.payment_key) as place,
  case dated.state when 'succeeded' then 'success' when 'failed' then 'failure' else 'pending' end as outcome, null as gateway_error,
  nullif(customer.payment_provider, '') as payment_method
from dated
join customers as customer on customer.id = dated.customer_key
