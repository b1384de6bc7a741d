-- relation: kb_price_list
-- param:    tenants integers
-- Numbers for the price list names in use, from 1. Other relations use 0 for no price list.
select used.price_list_name, row_number() over (order by used.price_list_name) as list_code
from (
  select distinct event.price_list_name
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.price_list_name is not null
) as used
