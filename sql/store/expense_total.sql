-- relation: expense_total
-- What the counted lines of a day, account and currency add up to (D60). `nonzero_count` are lines of other amounts than 0, `unhomed_count` those
-- of them of which the document does not say what they are in the books' home currency.
select total.book_id, total.document_date, total.account_external_id, total.currency, total.home_currency, total.amount_sum, total.home_sum,
  total.line_count, total.nonzero_count, total.unhomed_count
from line_total as total
where total.line_count <> 0
