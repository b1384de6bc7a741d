-- relation: customer
-- Accounts that count, with their current values.
select held.customer_key, held.source_id, held.customer_id, held.customer_name, held.external_key, held.email, held.currency,
  held.customer_country, held.created_at, held.collection_method, held.company_name, held.city, held.state, held.postal_code,
  held.locale, held.time_zone
from cached_customer as held
