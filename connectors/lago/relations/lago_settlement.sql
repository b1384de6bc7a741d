-- relation: lago_settlement
-- reads:    customer
-- needs:    invoices
-- Paid invoices of the customers that count, voided ones included (status 2), with the instant of payment. The engine has no column for it. It is
-- the latest payment or credit note that settled the invoice, else the last change to the status `succeeded`, else the commit. It is never
-- before the commit. Manual payments have the date that the user gave.
with settled as (
  select payment.payable_id as invoice_id, case when fn.text(payment.payment_type) = 'manual' then payment.created_at
    else payment.updated_at end as settled_at
  from payments as payment
  where payment.payable_type = 'Invoice' and fn.text(payment.payable_payment_status) = 'succeeded'
  union all
  select covered.invoice_id, case when fn.text(payment.payment_type) = 'manual' then payment.created_at else payment.updated_at end
  from payments as payment
  join invoices_payment_requests as covered on covered.payment_request_id = payment.payable_id
  where payment.payable_type = 'PaymentRequest' and fn.text(payment.payable_payment_status) = 'succeeded'
  union all
  select credited.target_invoice_id, credited.created_at
  from invoice_settlements as credited
  where fn.text(credited.settlement_type) = 'credit_note'
),
settlement as (
  select invoice_id, max(settled_at) as settled_at
  from settled
  group by invoice_id
),
marked as (
  select version.item_id as invoice_id, max(version.created_at) as marked_at
  from versions as version
  where version.item_type = 'Invoice' and version.event <> 'create'
    and fn.json_text(version.object_changes, '$.payment_status[1]') in ('succeeded', '1')
  group by version.item_id
),
paid as (
  select invoice.id as invoice_key, invoice.customer_id as customer_key, invoice.invoice_type, invoice.status,
    coalesce(invoice.finalized_at, case when invoice.issuing_date > invoice.created_at then invoice.issuing_date else invoice.created_at end)
      as committed_at,
    coalesce(settlement.settled_at, marked.marked_at) as settled_at
  from invoices as invoice
  join relation.customer as customer on customer.customer_key = invoice.customer_id
  left join settlement on settlement.invoice_id = invoice.id
  left join marked on marked.invoice_id = fn.text(invoice.id)
  where invoice.status in (1, 2) and invoice.payment_status = 1 and invoice.self_billed = false
)
select invoice_key, customer_key, invoice_type, status,
  fn.whole_second(case when settled_at > committed_at then settled_at else committed_at end) as paid_at
from paid
