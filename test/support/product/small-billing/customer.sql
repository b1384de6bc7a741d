-- relation: customer
-- Customers of the small billing database.
select small.customer_key, 'one' as source_id, fn.text(small.customer_key) as customer_id, small.customer_name,
  null as external_key, null as email, null as currency, null as customer_country, small.created_at,
  null as collection_method, null as company_name, null as city, null as state, null as postal_code, null as locale, null as time_zone
from small_customers as small
