-- relation: expense_account
-- Accounts of the books. A deleted account still gives the type of its lines.
select account.book_id, account.external_id, account.account_type
from account
