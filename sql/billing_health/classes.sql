-- metric: billing_health
-- query:  classes
-- reads:  billing_result, customer, tenant, finding_mark
-- unsliced
-- The days by class and currency, with findings and without, and their base amounts. Findings that are marked as no error are apart (H7). An amount is
-- null if a rate is missing.
with listed as (
  select fact.*, fact.agreed_base_cents - fact.billed_base_cents as difference_base_cents,
    case when fact.is_open = 1 then fact.monthly_base_cents else fact.agreed_base_cents - fact.billed_base_cents end as stake_base_cents,
    case when mark.state = 'no_error' then 1 else 0 end as is_no_error, case when mark.state = 'seen' then 1 else 0 end as is_seen
  from relation.billing_result as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  left join relation.finding_mark as mark on mark.source_id = fn.text(customer.source_id) and mark.subscription_id = fn.text(fact.subscription_id)
    and mark.class = fact.class
  where 1 = 1
  /*{filters}*/
)
select listed.class, listed.currency, listed.is_no_error, fn.integer(sum(listed.is_seen)) as seen, count(*) as subscriptions, count(distinct listed.customer_key) as customers, fn.integer(sum(listed.days)) as days,
  case when count(listed.agreed_base_cents) = count(*) then fn.integer(sum(listed.agreed_base_cents)) end as agreed_base_cents,
  case when count(listed.billed_base_cents) = count(*) then fn.integer(sum(listed.billed_base_cents)) end as billed_base_cents,
  case when count(listed.difference_base_cents) = count(*) then fn.integer(sum(listed.difference_base_cents)) end as difference_base_cents,
  case when count(listed.monthly_base_cents) = count(*) then fn.integer(sum(listed.monthly_base_cents)) end as monthly_base_cents,
  case when count(listed.monthly_base_cents) = count(*)
    then fn.integer(sum(case when listed.monthly_base_cents > 0 then listed.monthly_base_cents else 0 end)) end as unbilled_base_cents,
  case when count(listed.stake_base_cents) = count(*)
    then fn.integer(sum(case when listed.stake_base_cents < 0 then -listed.stake_base_cents else listed.stake_base_cents end)) end as at_stake_base_cents
from listed
group by listed.class, listed.currency, listed.is_no_error
