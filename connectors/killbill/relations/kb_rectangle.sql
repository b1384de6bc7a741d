-- relation: kb_rectangle
-- reads:    kb_phase, price
-- The prices of the phases in use under one key, because MariaDB looks rows of a derived table up by the columns of one other
-- table only. Distinct, though the rows are, so that it is derived at all.
select distinct concat(price.tenant_key, ' ', price.currency, ' ', phase.phase_code, ' ', price.cell) as price_key,
  price.from_at, price.to_at, price.price, price.month_numerator, price.month_denominator, price.has_usage, price.plan_key
from relation.kb_phase as phase
join relation.price as price on price.phase_name = phase.phase_name
