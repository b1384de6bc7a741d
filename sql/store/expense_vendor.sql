-- relation: expense_vendor
-- Vendors of the books.
select vendor.book_id, vendor.external_id, vendor.name
from vendor
