-- relation: kb_arrival
-- reads:    customer_link
-- needs:    customer_link
-- Arrivals of bundles at the accounts that share a link with an account.
select own.customer_key, arrival.effective_date as arrived_at
from relation.customer_link as own
join relation.customer_link as other on other.link_key = own.link_key
join subscriptions as received on received.account_record_id = other.customer_key
join subscription_events as arrival on arrival.subscription_id = received.id and arrival.is_active = true
  and arrival.user_type = 'TRANSFER'
