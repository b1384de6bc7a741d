-- relation: lago_note_item_none
-- Takes the place of lago_note_item in a database without the items of credit notes.
select note.id as note_key, note.invoice_id as fee_key, note.credit_amount_cents as amount
from credit_notes as note
where 1 = 0
