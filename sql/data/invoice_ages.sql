-- metric: data
-- query:  invoice_ages
-- reads:  billed_invoice, customer, fx_rate, tenant
-- param:  base_currency text
-- param:  now timestamp
-- param:  today date
-- unsliced
-- Open invoices by age and currency: their number, their balance in base cents, and how many have no rate. The rate is that of
-- the list of invoices.
with dated as (
  select billed.*,
    case when billed.status = 'open'
      then fn.integer(fn.int_div(fn.microseconds_between(fn.add_period(billed.invoice_date, 0, 0), :now), 86400000000)) end as days_open,
    case when billed.paid_at is not null then cast(billed.paid_at as date) when billed.invoice_date > :today then :today
      else billed.invoice_date end as rated_on
  from relation.billed_invoice as billed
),
aged as (
  select dated.*,
    case when days_open <= 30 then '0-30' when days_open <= 60 then '31-60' when days_open <= 90 then '61-90'
      when days_open > 90 then 'over-90' end as age
  from dated
),
listed as (
  select fact.age, fact.currency, fact.balance_cents,
    case when fact.currency = :base_currency or fact.balance_cents = 0 then fact.balance_cents
      else fn.converted(fact.balance_cents, rate.rate) end as balance_base_cents
  from aged as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.tenant as tenant on tenant.source_id = customer.source_id
  left join relation.fx_rate as rate on rate.currency = fact.currency and rate.day = fact.rated_on
  where fact.status = 'open'
  /*{filters}*/
)
select age, currency, count(*) as invoices, fn.integer(sum(balance_base_cents)) as balance_base_cents,
  sum(case when balance_base_cents is null then 1 else 0 end) as without_rate
from listed
group by age, currency
