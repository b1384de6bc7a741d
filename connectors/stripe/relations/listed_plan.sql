-- relation: listed_plan
-- reads:    stripe_item, stripe_life, stripe_price, customer
-- The prices of running subscriptions with the length of their billing period. A price of Stripe is what the customer agreed to, and nothing says which
-- one replaced it, so there is no list price.
select distinct customer.source_id, price.price_id as plan, phase.phase_type, life.currency,
  case when 1 = 0 then price.period_count end as list_micros, case when 1 = 0 then price.period_count end as month_numerator,
  case when 1 = 0 then price.period_count end as month_denominator,
  case price.period when 'day' then price.period_count + 1 when 'week' then 7 * price.period_count + 1 when 'year' then 366 * price.period_count + 1
    when 'month' then case when price.period_count <= 2 then 31 * price.period_count + 1
      when price.period_count between 4 and 11 then fn.int_div(365 * price.period_count, 12) + 3
      else fn.int_div(365 * price.period_count, 12) + 2 end
    else 0 end as period_days
from relation.stripe_item as item
join relation.stripe_life as life on life.subscription_id = item.subscription_id and life.ended_at is null
join relation.customer as customer on customer.customer_key = life.customer_key
join relation.stripe_price as price on price.price_id = item.price_id
cross join (select 'evergreen' as phase_type union all select 'trial') as phase
where life.currency is not null
