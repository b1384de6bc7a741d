-- relation: expense_line
-- Lines of bills and expenses that count: those of documents neither voided nor deleted (D60). `home_amount_cents` is the amount
-- in the books' home currency, if the document has a rate into this currency.
select line.book_id, line.document_date, line.account_external_id, line.vendor_external_id, line.currency, line.home_currency,
  line.amount_cents, line.home_amount_cents, line.class, line.department, line.project
from document_line as line
where line.is_counted = true
