-- relation: expense_line
-- Lines of bills and expenses that count: those of documents neither voided nor deleted (D60). Base cents are those of the line if the document
-- has a rate into the books' home currency.
select line.book_id, line.document_date, line.account_external_id, line.vendor_external_id, line.currency, line.home_currency,
  line.amount_cents, line.home_amount_cents, line.class, line.department, line.project
from document_line as line
where line.is_counted = true
