-- relation: kb_billing_rule
-- reads:    kb_phase, billing_rule
-- The rules of billing of the phases in use that are not the usual ones, with a single key column (see kb_rectangle). A missing
-- bound becomes the earliest or the latest instant. `distinct` only makes MariaDB materialize the relation.
select distinct concat(fn.text(rule.tenant_key), ' ', fn.text(rule.currency), ' ', fn.text(phase.phase_code)) as price_key,
  coalesce(rule.entered_from, timestamp '1000-01-01 00:00:00') as entered_from,
  coalesce(rule.entered_to, timestamp '9999-12-31 00:00:00') as entered_to,
  coalesce(rule.from_at, timestamp '1000-01-01 00:00:00') as from_at,
  coalesce(rule.to_at, timestamp '9999-12-31 00:00:00') as to_at,
  rule.fixed_price, rule.alignment, rule.lead_months, rule.lead_days
from relation.kb_phase as phase
join relation.billing_rule as rule on rule.phase_name = phase.phase_name
