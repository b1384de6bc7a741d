-- metric: data
-- query:  customer_values
-- reads:  customer
-- unsliced
-- What many customers have in common, the commonest first, and never what says who one of them is.
with held as (
  select fn.exact_text(fact.customer_country) as customer_country, fn.exact_text(fact.currency) as currency,
    fn.exact_text(fact.locale) as locale, fn.exact_text(fact.time_zone) as time_zone
  from relation.customer as fact
)
select customer_country, currency, locale, time_zone, count(*) as holder_count
from held
group by customer_country, currency, locale, time_zone
order by holder_count desc, customer_country, currency, locale, time_zone /*{page}*/
