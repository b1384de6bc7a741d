-- relation: kb_listed_price
-- reads:    price_line, price
-- The prices of all phases, also of those that no event names any more, with a single key column (see kb_rectangle). A missing bound
-- becomes the earliest or the latest instant. `distinct` only makes MariaDB materialize the relation.
select distinct concat(fn.text(line.tenant_key), ' ', fn.text(line.currency), ' ', fn.text(line.phase_name)) as price_key,
  coalesce(price.entered_from, timestamp '1000-01-01 00:00:00') as entered_from,
  coalesce(price.entered_to, timestamp '9999-12-31 00:00:00') as entered_to,
  coalesce(price.from_at, timestamp '1000-01-01 00:00:00') as from_at,
  coalesce(price.to_at, timestamp '9999-12-31 00:00:00') as to_at,
  price.price, price.month_numerator, price.month_denominator
from relation.price_line as line
join relation.price as price on price.line_key = line.line_key
where price.price is not null
