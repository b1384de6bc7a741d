-- metric: data
-- query:  invoice_ages
-- reads:  invoice_state, customer, tenant
-- unsliced
-- Open invoices (D90) by age and currency: their number, their balance in base cents, and how many have no rate.
with listed as (
  select fact.age, fact.currency, fact.balance_base_cents
  from relation.invoice_state as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  where fact.days_open is not null
  /*{filters}*/
)
select age, currency, count(*) as invoices, fn.integer(sum(balance_base_cents)) as balance_base_cents,
  sum(case when balance_base_cents is null then 1 else 0 end) as without_rate
from listed
group by age, currency
