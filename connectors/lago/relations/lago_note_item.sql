-- relation: lago_note_item
-- The items of credit notes by fee, before coupons, in units of the engine. The tax of a note with items has no fee.
select item.credit_note_id as note_key, item.fee_id as fee_key, fn.integer(sum(item.amount_cents)) as amount
from credit_note_items as item
where item.amount_cents > 0
group by item.credit_note_id, item.fee_id
union all
select note.id, null, note.taxes_amount_cents
from credit_notes as note
where note.id in (select item.credit_note_id from credit_note_items as item where item.amount_cents > 0)
