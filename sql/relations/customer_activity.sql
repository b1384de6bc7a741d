-- relation: customer_activity
-- reads:    live_stretch
-- param:    range_start timestamp
-- param:    range_end timestamp
-- The stretches that touch the window. The cache holds those of all time, whose ends outside the window may be other ones.
select stretch.customer_key, stretch.valid_from, stretch.valid_to, stretch.is_churn
from relation.live_stretch as stretch
where stretch.valid_from <= :range_end and (stretch.valid_to is null or stretch.valid_to >= :range_start)
