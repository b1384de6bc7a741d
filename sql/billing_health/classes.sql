-- metric: billing_health
-- query:  classes
-- reads:  billing_result, customer, tenant
-- unsliced
-- The days by class and currency, with findings and without, and their base amounts. An amount is null if a rate is missing.
with listed as (
  select fact.*, fact.agreed_base_cents - fact.billed_base_cents as difference_base_cents,
    case when fact.is_open = 1 then fact.monthly_base_cents else fact.agreed_base_cents - fact.billed_base_cents end as stake_base_cents
  from relation.billing_result as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  where 1 = 1
  /*{filters}*/
)
select listed.class, listed.currency, count(*) as subscriptions, count(distinct listed.customer_key) as customers, fn.integer(sum(listed.days)) as days,
  case when count(listed.agreed_base_cents) = count(*) then fn.integer(sum(listed.agreed_base_cents)) end as agreed_base_cents,
  case when count(listed.billed_base_cents) = count(*) then fn.integer(sum(listed.billed_base_cents)) end as billed_base_cents,
  case when count(listed.difference_base_cents) = count(*) then fn.integer(sum(listed.difference_base_cents)) end as difference_base_cents,
  case when count(listed.monthly_base_cents) = count(*) then fn.integer(sum(listed.monthly_base_cents)) end as monthly_base_cents,
  case when count(listed.monthly_base_cents) = count(*)
    then fn.integer(sum(case when listed.monthly_base_cents > 0 then listed.monthly_base_cents else 0 end)) end as unbilled_base_cents,
  case when count(listed.stake_base_cents) = count(*)
    then fn.integer(sum(case when listed.stake_base_cents < 0 then -listed.stake_base_cents else listed.stake_base_cents end)) end as at_stake_base_cents
from listed
group by listed.class, listed.currency
