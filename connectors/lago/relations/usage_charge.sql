-- relation: usage_charge
-- reads:    lago_settlement, lago_piece, lago_minor_unit, customer, zone_offset, month_step
-- needs:    fees
-- param:    now timestamp
-- Usage fees that are paid: those of paid invoices, and those that are paid in advance without an invoice. Progressive invoices (type 5) do not
-- count, because the invoice of the period bills the whole period again. Invoices of type 4 only group fees that were paid before. Days are local to
-- the customer. A period of several months is split as D55 says. The number of each piece also keeps the database from reading the JSON again
-- for each row of `zone_offset`. Instants in JSON are cut to a form that every database reads.
with dated as (
  select fee.id as charge_id, piece.customer_key, piece.subscription_id,
    row_number() over (partition by fee.id order by piece.from_at desc) as place_from_end, fee.amount_currency as currency, fee.amount_cents,
    customer.time_zone,
    case when settlement.invoice_key is not null then settlement.paid_at else fn.whole_second(fee.succeeded_at) end as paid_at,
    case when fee.pay_in_advance = true then fn.whole_second(replace(substr(fn.json_text(fee.properties, '$.timestamp'), 1, 19), 'T', ' '))
      else fn.whole_second(replace(substr(fn.json_text(fee.properties, '$.charges_from_datetime'), 1, 19), 'T', ' ')) end as starts_at,
    case when fee.pay_in_advance = false
      then fn.add_seconds(fn.whole_second(replace(substr(fn.json_text(fee.properties, '$.charges_to_datetime'), 1, 19), 'T', ' ')), 1) end as ends_at
  from fees as fee
  join relation.lago_piece as piece on piece.row_key = fee.subscription_id
  join relation.customer as customer on customer.customer_key = piece.customer_key
  left join invoices as invoice on invoice.id = fee.invoice_id
  left join relation.lago_settlement as settlement on settlement.invoice_key = fee.invoice_id and settlement.status = 1
    and settlement.invoice_type not in (4, 5)
  where fee.fee_type = 0 and fee.deleted_at is null and (settlement.invoice_key is not null
    or (coalesce(invoice.invoice_type, 4) = 4 and fee.pay_in_advance = true and fee.payment_status = 1 and fee.succeeded_at is not null))
),
local as (
  select dated.charge_id, dated.customer_key, dated.subscription_id, dated.currency, dated.amount_cents, dated.paid_at,
    cast(fn.add_seconds(dated.starts_at, coalesce(start_zone.offset_seconds, 0)) as date) as starts_on,
    cast(fn.add_seconds(dated.ends_at, coalesce(end_zone.offset_seconds, 0)) as date) as ends_on
  from dated
  left join relation.zone_offset as start_zone on start_zone.time_zone = dated.time_zone and dated.starts_at >= start_zone.from_at
    and dated.starts_at < start_zone.to_at
  left join relation.zone_offset as end_zone on end_zone.time_zone = dated.time_zone and dated.ends_at >= end_zone.from_at
    and dated.ends_at < end_zone.to_at
  where dated.place_from_end = 1 and dated.paid_at <= :now and dated.starts_at is not null
),
counted as (
  select local.*, fn.converted(local.amount_cents, coalesce(minor.factor, 1)) as cents,
    case when fn.months_between(local.starts_on, local.ends_on) > 1 then fn.months_between(local.starts_on, local.ends_on) else 1 end
      as month_count
  from local
  left join relation.lago_minor_unit as minor on minor.currency = local.currency
),
share as (
  select counted.*, month_step.step as month_offset, fn.int_div(counted.cents, counted.month_count) as month_cents
  from counted
  join relation.month_step as month_step on month_step.span = counted.month_count
)
select share.customer_key, share.charge_id, share.subscription_id, null as plan, share.currency, share.paid_at,
  case when share.month_offset = 0 then share.starts_on
    else cast(fn.add_period(fn.month_start(share.starts_on), share.month_offset, 0) as date) end as charge_date,
  case when share.month_offset = 0 then fn.month_start(share.starts_on)
    else cast(fn.add_period(fn.month_start(share.starts_on), share.month_offset, 0) as date) end as service_month,
  case when share.month_offset = share.month_count - 1 then share.cents - share.month_cents * (share.month_count - 1)
    else share.month_cents end as amount_cents
from share
