-- relation: change_instant
-- The instant at which the rows change by themselves.
select small.customer_key, small.changes_at
from small_customers as small
where small.changes_at is not null
