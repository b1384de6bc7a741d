-- metric: expenses
-- query:  rates
-- reads:  stored_rate
-- param:  base_currency text
-- unsliced
-- Stored rates into the base currency, in the snapshot of the lines (D11).
select rate.from_currency, rate.rate_date, rate.rate
from relation.stored_rate as rate
where rate.to_currency = :base_currency
