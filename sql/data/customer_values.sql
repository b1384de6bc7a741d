-- metric: data
-- query:  customer_values
-- reads:  customer
-- unsliced
-- Values that many customers share, most common first. Values that identify one customer are excluded.
with held as (
  select fn.exact_text(fact.customer_country) as customer_country, fn.exact_text(fact.currency) as currency,
    fn.exact_text(fact.locale) as locale, fn.exact_text(fact.time_zone) as time_zone
  from relation.customer as fact
)
select customer_country, currency, locale, time_zone, count(*) as holder_count
from held
group by customer_country, currency, locale, time_zone
order by holder_count desc, customer_country, currency, locale, time_zone /*{page}*/
