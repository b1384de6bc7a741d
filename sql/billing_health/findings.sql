-- metric: billing_health
-- query:  findings
-- reads:  billing_result, subscription_life, customer, tenant, plan, finding_mark
-- unsliced
-- A page of findings, one for each subscription and class, largest amount first (H2), with the total number. Those of overdue customers come last,
-- because their billing needs no change.
with listed as (
  select fact.*, fact.agreed_base_cents - fact.billed_base_cents as difference_base_cents, customer.source_id, tenant.tenant_name,
    customer.customer_id, customer.customer_name, plan.plan_id
  from relation.billing_result as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  left join relation.subscription_life as life on life.subscription_id = fact.subscription_id
  left join relation.plan as plan on plan.plan_key = life.plan_key
  left join relation.finding_mark as mark on mark.source_id = fn.text(customer.source_id) and mark.subscription_id = fn.text(fact.subscription_id)
    and mark.class = fact.class
  where fact.class not in ('healthy', 'unpriced', 'not_due')
  /*{filters}*/
)
select record.*, fn.total_of(listed) as total_count
from listed as record
order by case when record.class = 'overdue_block' then 1 else 0 end,
  case when record.monthly_base_cents < 0 then -record.monthly_base_cents else coalesce(record.monthly_base_cents, 0) end desc,
  case when record.difference_base_cents < 0 then -record.difference_base_cents else coalesce(record.difference_base_cents, 0) end desc,
  fn.exact_text(record.subscription_id), fn.exact_text(record.class) /*{page}*/
