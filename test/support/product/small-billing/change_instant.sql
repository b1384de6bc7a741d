-- relation: change_instant
-- No instant changes the rows.
select small.customer_key, timestamp '2024-01-01 00:00:00' as changes_at
from small_customers as small
where 1 = 0
