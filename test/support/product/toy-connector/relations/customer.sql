-- relation: customer
-- param:    include_test_accounts boolean
-- Customers that count, in their current state.
select buyer.id as customer_key, 'toy' as source_id, fn.text(buyer.id) as customer_id, buyer.name as customer_name,
  null as external_key, buyer.email, buyer.currency, buyer.country as customer_country, buyer.created_at,
  case when buyer.pays_by_hand = true then 'manual' else 'automatic' end as collection_method, null as company_name,
  null as city, null as state, null as postal_code, null as locale, null as time_zone
from toy_customer as buyer
where :include_test_accounts = true or buyer.is_test = false
