-- relation: usage_charge
-- Usage charges of paid invoices (D55).
select held.customer_key, held.charge_id, held.subscription_id, held.plan, held.currency, held.paid_at, held.charge_date,
  held.service_month, held.amount_cents
from cached_usage_charge as held
