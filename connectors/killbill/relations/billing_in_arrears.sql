-- relation: billing_in_arrears
-- reads:    kb_in_arrears
-- Subscriptions that are billed in arrears.
select arrears.customer_key, arrears.subscription_id, arrears.billed_to, arrears.is_billed, arrears.period_months, arrears.period_days
from relation.kb_in_arrears as arrears
