-- relation: billing_result
-- reads:    billing_run, customer, fx_rate
-- param:    rate_day date
-- param:    base_currency text
-- The days of a subscription that have the same class: their number and amounts (H2 to H4). A day costs 12/365 of a month. Amounts are rounded for
-- each subscription and class, half away from zero, so that the amounts of a segment and of all other customers add up. `monthly_base_cents` is the
-- difference of a month as of the last run, 0 unless it is open. Base amounts have the rate of :rate_day. Of days without a finding, only
-- healthy ones have base amounts, and agreed and billed are the same.
with priced as (
  select fact.*, customer.currency, fact.to_day - fact.from_day as days, rate.rate,
    case when customer.currency = :base_currency or fact.agreed = 0 then fact.agreed else fn.converted(fact.agreed, rate.rate) end as agreed_base,
    case when customer.currency = :base_currency or fact.billed = 0 then fact.billed else fn.converted(fact.billed, rate.rate) end as billed_base,
    max(fact.to_day) over (partition by fact.subscription_id, fact.class) as end_number
  from relation.billing_run as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  left join relation.fx_rate as rate on rate.currency = customer.currency and rate.day = :rate_day
),
summed as (
  select priced.customer_key, priced.subscription_id, priced.class, priced.currency, max(priced.rate) as rate, min(priced.from_day) as first_number,
    max(priced.to_day) as end_number, fn.integer(sum(priced.days)) as days,
    max(case when priced.to_day = priced.end_number then priced.is_open end) as is_open,
    max(case when priced.to_day = priced.end_number then priced.agreed_base - priced.billed_base end) as monthly_base,
    fn.integer(sum(priced.agreed * priced.days)) as agreed, fn.integer(sum(priced.billed * priced.days)) as billed,
    case when count(priced.agreed_base) = count(*) then fn.integer(sum(priced.agreed_base * priced.days)) end as agreed_base,
    case when count(priced.billed_base) = count(*) then fn.integer(sum(priced.billed_base * priced.days)) end as billed_base
  from priced
  group by priced.customer_key, priced.subscription_id, priced.class, priced.currency
),
compared as (
  select summed.customer_key, summed.subscription_id, summed.class, summed.currency, summed.first_number, summed.end_number, summed.days,
    summed.is_open, summed.monthly_base, summed.agreed, summed.billed,
    case when summed.class in ('unpriced', 'not_due') then 0 when summed.class <> 'healthy' then summed.agreed_base
      when summed.currency = :base_currency or summed.agreed = 0 then summed.agreed
      else fn.converted(summed.agreed, summed.rate) end as agreed_base,
    case when summed.class not in ('healthy', 'unpriced', 'not_due') then summed.billed_base end as billed_base
  from summed
),
rounded as (
  select compared.*,
    fn.int_div(24 * compared.agreed + case when compared.agreed < 0 then -365 else 365 end, 730) as agreed_cents,
    fn.int_div(24 * compared.billed + case when compared.billed < 0 then -365 else 365 end, 730) as billed_cents,
    fn.int_div(24 * compared.agreed_base + case when compared.agreed_base < 0 then -365 else 365 end, 730) as agreed_base_cents,
    fn.int_div(24 * compared.billed_base + case when compared.billed_base < 0 then -365 else 365 end, 730) as billed_base_cents
  from compared
)
select fact.customer_key, fact.subscription_id, fact.class, fact.currency, fact.first_number, fact.end_number, fact.days, fact.is_open,
  fact.agreed_cents, fact.billed_cents, fact.agreed_base_cents,
  case when fact.class in ('healthy', 'unpriced', 'not_due') then fact.agreed_base_cents else fact.billed_base_cents end as billed_base_cents,
  case when fact.is_open = 1 and fact.class not in ('healthy', 'unpriced', 'not_due') then fact.monthly_base else 0 end as monthly_base_cents
from rounded as fact
