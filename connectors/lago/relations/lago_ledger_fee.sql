-- relation: lago_ledger_fee
-- reads:    lago_ledger_invoice, zone_offset
-- Fees of invoices of the books, less their share of coupons and of progressive invoices, which billed the same usage before. Shares have
-- fractions, so running totals are rounded, and the fees of an invoice add up. Usage that is paid in advance is given on the day of its event. Service
-- days are local to the customer. The last day counts in full. The window also keeps the database from reading the JSON again for each offset.
with net as (
  select fee.id as fee_key, fee.subscription_id as row_key, fee.fee_type, invoice.invoice_key, invoice.customer_key, invoice.currency, invoice.factor,
    invoice.time_zone, invoice.issued_on, invoice.gone_on, fee.amount_cents - coalesce(fee.precise_coupons_amount_cents, 0) as net_amount,
    sum(fee.amount_cents - coalesce(fee.precise_coupons_amount_cents, 0)) over (partition by fee.invoice_id order by fee.id rows unbounded preceding)
      as through,
    fn.whole_second(replace(substr(case when fee.fee_type = 0 and fee.pay_in_advance = true then fn.json_text(fee.properties, '$.timestamp')
      when fee.fee_type = 0 then fn.json_text(fee.properties, '$.charges_from_datetime')
      when fee.fee_type = 5 then fn.json_text(fee.properties, '$.fixed_charges_from_datetime')
      else fn.json_text(fee.properties, '$.from_datetime') end, 1, 19), 'T', ' ')) as from_at,
    fn.whole_second(replace(substr(case when fee.fee_type = 0 and fee.pay_in_advance = true then fn.json_text(fee.properties, '$.timestamp')
      when fee.fee_type = 0 then fn.json_text(fee.properties, '$.charges_to_datetime')
      when fee.fee_type = 5 then fn.json_text(fee.properties, '$.fixed_charges_to_datetime')
      else fn.json_text(fee.properties, '$.to_datetime') end, 1, 19), 'T', ' ')) as to_at
  from fees as fee
  join relation.lago_ledger_invoice as invoice on invoice.invoice_key = fee.invoice_id
  where fee.deleted_at is null
)
select net.fee_key, net.row_key, net.fee_type, net.invoice_key, net.customer_key, net.currency, net.issued_on, net.gone_on,
  fn.converted(fn.integer(net.through) - fn.integer(net.through - net.net_amount), net.factor) as amount_cents,
  cast(fn.add_seconds(net.from_at, coalesce(start_zone.offset_seconds, 0)) as date) as starts_on,
  cast(fn.add_period(cast(fn.add_seconds(net.to_at, coalesce(end_zone.offset_seconds, 0)) as date), 0, 1) as date) as ends_on
from net
left join relation.zone_offset as start_zone on start_zone.time_zone = net.time_zone and net.from_at >= start_zone.from_at
  and net.from_at < start_zone.to_at
left join relation.zone_offset as end_zone on end_zone.time_zone = net.time_zone and net.to_at >= end_zone.from_at and net.to_at < end_zone.to_at
