-- metric: data
-- query:  renewal_terms
-- reads:  billing_term, customer, customer_zone
-- unsliced
-- How often the terms of subscriptions charge, in the order of time (D91). Days are local days of the account, as numbers of days since 1970-01-01.
select fact.subscription_id, customer.source_id, fact.period_months, fact.period_days, fact.billing_day as billing_day_number, fact.anchored_on,
  fn.day_number(fn.add_seconds(fact.term_from, coalesce(zone.utc_offset_seconds, 0))) as first_number,
  fn.day_number(fn.add_seconds(fact.term_to, coalesce(zone.utc_offset_seconds, 0))) as end_number
from relation.billing_term as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.customer_zone as zone on zone.customer_key = fact.customer_key
where 1 = 1
/*{filters}*/
order by fact.subscription_id, fact.term_from
