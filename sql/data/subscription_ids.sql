-- metric: data
-- query:  subscription_ids
-- reads:  subscription_state, customer
-- unsliced
-- The subscriptions whose current state meets the conditions.
select owner.source_id, fact.subscription_id
from relation.subscription_state as fact
join relation.customer as owner on owner.customer_key = fact.customer_key
/*{joins}*/
where 1 = 1
/*{filters}*/
