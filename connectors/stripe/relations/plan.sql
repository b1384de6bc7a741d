-- relation: plan
-- reads:    stripe_price
-- Recurring prices are plans (S14).
select price.price_id as plan_key, price.price_id as plan_id, coalesce(price.nickname, price.product_name, price.price_id) as plan_name,
  case when price.period = 'month' and price.period_count = 1 then 'monthly' when price.period = 'month' and price.period_count = 3 then 'quarterly'
    when price.period = 'month' and price.period_count = 6 then 'semiannual' when price.period = 'year' and price.period_count = 1 then 'yearly'
    when price.period = 'month' and price.period_count = 12 then 'yearly' when price.period = 'week' and price.period_count = 1 then 'weekly'
    when price.period = 'day' and price.period_count = 1 then 'daily'
    else concat('every ', fn.text(price.period_count), ' ', fn.text(price.period), 's') end as billing_period,
  price.period as plan_interval, case when price.is_metered = 1 then 'usage_based' else 'flat' end as pricing_model,
  case when price.is_metered = 1 then 'metered' else 'licensed' end as usage_type, price.product_name, null as product_category
from relation.stripe_price as price
