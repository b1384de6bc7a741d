-- relation: expense_account
-- Accounts of the books; one that was deleted still says what its lines are.
select account.book_id, account.external_id, account.account_type
from account
