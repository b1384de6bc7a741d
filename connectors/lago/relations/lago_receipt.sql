-- relation: lago_receipt
-- reads:    lago_ledger_invoice
-- param:    now timestamp
-- Payments of invoices of the books, in units of the engine. A manual payment has the date that the user gave, another one that of its last change. The
-- payment of a payment request is shared by the open amounts of its invoices just before. If they do not add up to it, the engine asked for the unpaid amounts,
-- credit notes aside. An invoice that an earlier request paid is not open. If nothing was open, the totals share it. Running totals are rounded, so that shares
-- add up.
with paid as (
  select payment.id as payment_key, payment.payable_type, payment.payable_id, payment.amount_cents as amount,
    case when fn.text(payment.payment_type) = 'manual' then payment.created_at else payment.updated_at end as paid_at
  from payments as payment
  where fn.text(payment.payable_payment_status) = 'succeeded'
),
own as (
  select paid.payment_key, invoice.invoice_key, paid.paid_at, paid.amount
  from paid
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = paid.payable_id
  where paid.payable_type = 'Invoice' and paid.paid_at <= :now
),
requested as (
  select paid.payment_key, invoice.invoice_key, paid.paid_at, paid.amount, invoice.total,
    row_number() over (partition by invoice.invoice_key order by paid.paid_at, paid.payment_key) as place
  from paid
  join invoices_payment_requests as covered on covered.payment_request_id = paid.payable_id
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = covered.invoice_id
  where paid.payable_type = 'PaymentRequest' and paid.paid_at <= :now
),
settled as (
  select own.invoice_key, own.paid_at as settled_at, own.amount as paid, 0 as credited
  from own
  union all
  select settlement.target_invoice_id, settlement.created_at, 0, settlement.amount_cents
  from invoice_settlements as settlement
  where fn.text(settlement.settlement_type) = 'credit_note'
),
opened as (
  select requested.payment_key, requested.invoice_key, requested.paid_at, requested.amount, requested.total,
    case when requested.place > 1 or requested.total <= coalesce(sum(settled.paid), 0) then 0
      else requested.total - coalesce(sum(settled.paid), 0) end as unpaid,
    case when requested.place > 1 or requested.total <= coalesce(sum(settled.paid + settled.credited), 0) then 0
      else requested.total - coalesce(sum(settled.paid + settled.credited), 0) end as open_amount
  from requested
  left join settled on settled.invoice_key = requested.invoice_key and settled.settled_at < requested.paid_at
  group by requested.payment_key, requested.invoice_key, requested.paid_at, requested.amount, requested.total, requested.place
),
weighed as (
  select opened.*, case when sum(opened.open_amount) over w = opened.amount then opened.open_amount when sum(opened.unpaid) over w > 0 then opened.unpaid
    else opened.total end as weight
  from opened
  window w as (partition by opened.payment_key)
),
part as (
  select weighed.*, sum(weighed.weight) over (partition by weighed.payment_key) as whole,
    sum(weighed.weight) over (partition by weighed.payment_key order by weighed.invoice_key rows unbounded preceding) as through
  from weighed
)
select own.payment_key, own.invoice_key, own.paid_at, own.amount
from own
union all
select part.payment_key, part.invoice_key, part.paid_at,
  fn.int_div(2 * cast(part.amount as decimal(20, 0)) * part.through + part.whole, 2 * part.whole)
    - fn.int_div(2 * cast(part.amount as decimal(20, 0)) * (part.through - part.weight) + part.whole, 2 * part.whole)
from part
where part.whole > 0
