-- metric: data
-- query:  plan_values
-- reads:  plan
-- unsliced
-- Names, products and other values of the plans in the catalog.
select distinct plan.plan_id, plan.plan_name, plan.billing_period, plan.product_name, plan.product_category
from relation.plan as plan
order by plan_id, plan_name
/*{page}*/
