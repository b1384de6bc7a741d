-- relation: expense_total
-- Sums of the counted lines of a day, account and currency (D60). `nonzero_count` is the number of lines with an amount other
-- than 0. `unhomed_count` is the number of these lines whose document has no amount in the books' home currency.
select total.book_id, total.document_date, total.account_external_id, total.currency, total.home_currency, total.amount_sum, total.home_sum,
  total.line_count, total.nonzero_count, total.unhomed_count
from line_total as total
where total.line_count <> 0
