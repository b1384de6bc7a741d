-- metric: rows
-- query:  subscription_changes
-- reads:  mrr_movement, customer
-- param:  start timestamp
-- param:  end timestamp
-- unsliced
-- Movements with :start <= occurred_at < :end (D31 to D34). Rows with amount 0 exist only for unknown prices.
select customer.source_id, fact.movement_type, fact.movement_source, fact.amount_cents, fact.amount_base_cents, fact.currency,
  customer.customer_id, fact.subscription_id, fact.occurred_at, fact.reason,
  case when fact.is_unpriced = true then 1 else 0 end as unpriced,
  case when fact.amount_cents <> 0 and fact.amount_base_cents is null then fact.fixed_on end as unrated_on
from relation.mrr_movement as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
where fact.occurred_at >= :start and fact.occurred_at < :end
