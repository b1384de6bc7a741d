-- relation: kb_rectangle
-- reads:    kb_phase, price_line, price
-- The prices of the phases in use, with a single key column. MariaDB can look up rows of a derived table only by columns of one
-- other table. A missing bound becomes the earliest or the latest instant. The rows are distinct anyway: `distinct` only makes
-- MariaDB materialize the relation.
select distinct concat(fn.text(line.tenant_key), ' ', fn.text(line.currency), ' ', fn.text(phase.phase_code)) as price_key,
  coalesce(price.entered_from, timestamp '1000-01-01 00:00:00') as entered_from,
  coalesce(price.entered_to, timestamp '9999-12-31 00:00:00') as entered_to,
  coalesce(price.from_at, timestamp '1000-01-01 00:00:00') as from_at,
  coalesce(price.to_at, timestamp '9999-12-31 00:00:00') as to_at,
  price.price, price.month_numerator, price.month_denominator, price.billing_period, price.has_usage, price.plan_key, price.in_arrears
from relation.kb_phase as phase
join relation.price_line as line on line.phase_name = phase.phase_name
join relation.price as price on price.line_key = line.line_key
