-- relation: subscription_fact
-- reads:    customer
-- A change has every value that holds from then on, so each change is a fact.
select customer.customer_key, fn.text(agreed.subscription_id) as subscription_id, agreed.changes_at as fact_at,
  agreed.recorded_at as stated_at, agreed.status, case when agreed.status = 'ended' then 'cancel' end as reason,
  agreed.remark as cancel_reason, agreed.plan, agreed.plan as plan_key,
  case when agreed.status = 'trialing' then 'trial' else 'evergreen' end as phase_type, null as price_list, agreed.seats as quantity,
  agreed.currency,
  case agreed.unit when 'year' then fn.int_div(agreed.price_cents * agreed.seats, 12) else agreed.price_cents * agreed.seats end
    as monthly_cents,
  agreed.metered = 1 as has_usage
from toy_change as agreed
join relation.customer as customer on customer.customer_key = agreed.customer_id
