-- metric: expenses
-- query:  vendors
-- reads:  expense_vendor
-- param:  books integers
-- unsliced
-- Names of the vendors, which are added to what was added up by their ids.
select vendor.book_id, vendor.external_id, vendor.name
from relation.expense_vendor as vendor
where vendor.book_id in (:books)
