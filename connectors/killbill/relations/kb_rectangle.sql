-- relation: kb_rectangle
-- reads:    kb_phase, price
-- The prices of the phases in use, by the number of the phase.
select phase.phase_code, price.tenant_key, price.currency, price.cell, price.from_at, price.to_at, price.price, price.month_numerator,
  price.month_denominator, price.has_usage, price.plan_key
from relation.kb_phase as phase
join relation.price as price on price.phase_name = phase.phase_name
