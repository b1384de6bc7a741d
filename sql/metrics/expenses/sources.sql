-- metric: expenses
-- query:  sources
-- reads:  expense_source
-- unsliced
-- Connections and books of the workspace. Without any there are no expenses.
select entry.source_id, entry.source_type, entry.book_id
from relation.expense_source as entry
