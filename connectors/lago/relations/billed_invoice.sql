-- relation: billed_invoice
-- reads:    lago_settlement, lago_minor_unit, customer
-- param:    now timestamp
-- Invoices of the customers that count, as drafts, finalized or voided. The total is the amount to pay in money: without the part that credit notes
-- settled, prepaid credits and earlier credit notes.
with credited as (
  select settlement.target_invoice_id as invoice_id, sum(settlement.amount_cents) as amount_cents
  from invoice_settlements as settlement
  where fn.text(settlement.settlement_type) = 'credit_note'
  group by settlement.target_invoice_id
),
metered as (
  select fee.invoice_id, sum(fee.amount_cents) as amount_cents
  from fees as fee
  where fee.fee_type = 0 and fee.deleted_at is null and fee.invoice_id is not null
  group by fee.invoice_id
),
stated as (
  select invoice.customer_id as customer_key, fn.text(invoice.id) as invoice_id, nullif(invoice.number, '') as invoice_number,
    coalesce(invoice.currency, customer.currency) as currency,
    case when invoice.status = 0 then 'draft' when invoice.status = 2 then 'void' when settlement.paid_at <= :now then 'paid'
      when invoice.payment_dispute_lost_at is not null then 'uncollectible' else 'open' end as status,
    coalesce(invoice.issuing_date, cast(invoice.created_at as date)) as invoice_date, fn.whole_second(invoice.created_at) as created_at,
    case when settlement.paid_at <= :now then settlement.paid_at end as paid_at, fn.whole_second(invoice.voided_at) as voided_at,
    invoice.total_amount_cents - coalesce(credited.amount_cents, 0) as total, invoice.taxes_amount_cents as tax,
    coalesce(metered.amount_cents, 0) as metered, invoice.total_paid_amount_cents as paid
  from invoices as invoice
  join relation.customer as customer on customer.customer_key = invoice.customer_id
  left join relation.lago_settlement as settlement on settlement.invoice_key = invoice.id and settlement.status = 1
  left join credited on credited.invoice_id = invoice.id
  left join metered on metered.invoice_id = invoice.id
  where invoice.status in (0, 1, 2) and invoice.self_billed = false and fn.whole_second(invoice.created_at) <= :now
)
select stated.customer_key, stated.invoice_id, stated.invoice_number, stated.status, stated.currency, stated.invoice_date, stated.created_at,
  stated.paid_at, stated.voided_at, fn.converted(stated.total, coalesce(minor.factor, 1)) as total_cents,
  fn.converted(stated.tax, coalesce(minor.factor, 1)) as tax_cents,
  fn.converted(stated.metered, coalesce(minor.factor, 1)) as usage_cents,
  fn.converted(stated.paid, coalesce(minor.factor, 1)) as amount_paid_cents,
  case when stated.status in ('paid', 'void') then 0 else fn.converted(stated.total - stated.paid, coalesce(minor.factor, 1)) end
    as balance_cents
from stated
left join relation.lago_minor_unit as minor on minor.currency = stated.currency
where stated.currency is not null
