-- metric: ledger
-- query:  first_day
-- reads:  kept_stretch
-- unsliced
-- The first day on which anything is known of a charge, as a number; null without charges.
select min(stretch.known_from) as first_known
from relation.kept_stretch as stretch
