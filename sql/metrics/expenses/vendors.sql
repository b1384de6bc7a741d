-- metric: expenses
-- query:  vendors
-- reads:  expense_vendor
-- param:  books integers
-- unsliced
-- Names of the vendors, added to sums by vendor id.
select vendor.book_id, vendor.external_id, vendor.name
from relation.expense_vendor as vendor
where vendor.book_id in (:books)
