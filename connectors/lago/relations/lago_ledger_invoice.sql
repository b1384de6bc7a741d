-- relation: lago_ledger_invoice
-- reads:    customer, lago_minor_unit, zone_offset
-- param:    now timestamp
-- Invoices of the books (R2): those that were finalized, voided ones included. Days are local to the customer. An invoice without the instant of
-- its finalization, as before 2025-04, became final when it was created. A void without an instant leaves the books on the day of the issue.
with final as (
  select invoice.id as invoice_key, invoice.customer_id as customer_key, nullif(invoice.number, '') as invoice_number,
    coalesce(invoice.currency, customer.currency) as currency, customer.time_zone, invoice.status, invoice.payment_status, invoice.issuing_date,
    invoice.payment_due_date, fn.whole_second(coalesce(invoice.finalized_at, invoice.created_at)) as final_at,
    fn.whole_second(invoice.voided_at) as voided_at, fn.whole_second(invoice.payment_dispute_lost_at) as lost_at, invoice.taxes_amount_cents as tax,
    invoice.credit_notes_amount_cents as noted, invoice.prepaid_credit_amount_cents as prepaid, invoice.total_amount_cents as total
  from invoices as invoice
  join relation.customer as customer on customer.customer_key = invoice.customer_id
  where invoice.status in (1, 2) and invoice.self_billed = false and fn.whole_second(invoice.created_at) <= :now
),
dated as (
  select final.*, coalesce(minor.factor, 1) as factor, cast(fn.add_seconds(final.final_at, coalesce(final_zone.offset_seconds, 0)) as date) as final_on,
    cast(fn.add_seconds(final.voided_at, coalesce(void_zone.offset_seconds, 0)) as date) as voided_on
  from final
  left join relation.lago_minor_unit as minor on minor.currency = final.currency
  left join relation.zone_offset as final_zone on final_zone.time_zone = final.time_zone and final.final_at >= final_zone.from_at
    and final.final_at < final_zone.to_at
  left join relation.zone_offset as void_zone on void_zone.time_zone = final.time_zone and final.voided_at >= void_zone.from_at
    and final.voided_at < void_zone.to_at
  where final.currency is not null and final.final_at <= :now
),
issued as (
  select dated.*, case when dated.issuing_date > dated.final_on then dated.issuing_date else dated.final_on end as issued_on
  from dated
)
select issued.invoice_key, issued.customer_key, issued.invoice_number, issued.currency, issued.factor, issued.time_zone, issued.status,
  issued.payment_status, issued.tax, issued.noted, issued.prepaid, issued.total, issued.voided_at, issued.lost_at, issued.issued_on,
  issued.payment_due_date as due_on,
  case when issued.status = 2 then case when issued.voided_on > issued.issued_on then issued.voided_on else issued.issued_on end end as gone_on
from issued
