-- relation: lago_ledger_note_part
-- reads:    lago_ledger_note, lago_ledger_fee, lago_note_item
-- The parts of each credit note: one for each fee that it lowers, and one for the tax, whose fee is null. Its items name the fees. Items are before
-- coupons, so they share the note less its tax. A note without items lowers all fees and the tax in proportion. The last part takes the rest. A note
-- that lowers none of them has one part without a fee.
with itemized as (
  select item.note_key, max(case when item.fee_key is null then item.amount else 0 end) as tax
  from relation.lago_note_item as item
  group by item.note_key
),
listed as (
  select note.note_key, note.invoice_key, note.total_cents, note.invoice_tax_cents, case when itemized.note_key is null then 0 else 1 end as has_items,
    fn.converted(coalesce(itemized.tax, 0), note.factor) as tax_cents
  from relation.lago_ledger_note as note
  left join itemized on itemized.note_key = note.note_key
),
weighed as (
  select item.note_key, item.fee_key, 0 as is_tax, item.amount as weight
  from relation.lago_note_item as item
  where item.fee_key is not null
  union all
  select listed.note_key, fee.fee_key, 0, fee.amount_cents
  from listed
  join relation.lago_ledger_fee as fee on fee.invoice_key = listed.invoice_key
  where listed.has_items = 0 and fee.amount_cents > 0
  union all
  select listed.note_key, null, 1, listed.invoice_tax_cents
  from listed
  where listed.has_items = 0 and listed.invoice_tax_cents > 0
),
part as (
  select listed.note_key, weighed.fee_key, coalesce(weighed.is_tax, 0) as is_tax, coalesce(weighed.weight, 1) as weight,
    listed.total_cents - listed.tax_cents as shared_cents, sum(coalesce(weighed.weight, 1)) over (partition by listed.note_key) as whole,
    row_number() over (partition by listed.note_key order by weighed.is_tax desc, weighed.fee_key desc) as place_from_end
  from listed
  left join weighed on weighed.note_key = listed.note_key
),
rounded as (
  select part.*, fn.int_div(2 * cast(part.shared_cents as decimal(20, 0)) * part.weight + part.whole, 2 * part.whole) as cents
  from part
),
shared as (
  select rounded.note_key, rounded.fee_key, rounded.is_tax,
    case when rounded.place_from_end = 1 then rounded.shared_cents - sum(rounded.cents) over (partition by rounded.note_key) + rounded.cents
      else rounded.cents end as cents
  from rounded
  union all
  select listed.note_key, null, 1, listed.tax_cents
  from listed
)
select shared.note_key, shared.fee_key, shared.is_tax, fn.integer(shared.cents) as amount_cents
from shared
where shared.cents <> 0
