-- metric: ledger
-- query:  bridge_agreed
-- reads:  agreed_stretch, fx_rate
-- param:  base_currency text
-- param:  rate_day date
-- param:  valued_on date
-- param:  first_day integer
-- param:  end_day integer
-- The agreed amount of each subscription as the mean over the days from :first_day to the one before :end_day (D97), rounded once. Base amounts have the
-- rate with which the agreed amount is MRR (D12), or that of :valued_on (D65).
with agreed as (
  select stretch.customer_key, stretch.subscription_id, stretch.currency, stretch.monthly_cents,
    case when stretch.monthly_cents = 0 or stretch.currency = :base_currency then stretch.monthly_cents
      else fn.converted(stretch.monthly_cents, rate.rate) end as base_cents,
    case when stretch.end_day < :end_day then stretch.end_day else :end_day end
      - case when stretch.first_day > :first_day then stretch.first_day else :first_day end as days,
    case when stretch.is_unpriced = true then 1 else 0 end as unpriced, coalesce(:valued_on, stretch.fixed_on) as rated_on
  from relation.agreed_stretch as stretch
  left join relation.fx_rate as rate on rate.currency = stretch.currency and rate.day = coalesce(:rate_day, :valued_on, stretch.fixed_on)
  where stretch.first_day < :end_day and stretch.end_day > :first_day and (stretch.monthly_cents <> 0 or stretch.is_unpriced = true)
),
monthly as (
  select agreed.customer_key, agreed.subscription_id, agreed.currency, sum(agreed.monthly_cents * agreed.days) as cents,
    sum(agreed.base_cents * agreed.days) as base_cents, max(agreed.unpriced) as unpriced,
    max(case when agreed.base_cents is null then 1 else 0 end) as unrated,
    min(case when agreed.base_cents is null then agreed.rated_on end) as rated_from,
    max(case when agreed.base_cents is null then agreed.rated_on end) as rated_through
  from agreed
  where agreed.days > 0
  group by agreed.customer_key, agreed.subscription_id, agreed.currency
),
measure as (
  select fact.currency as fact_currency, fn.int_div(2 * fact.cents + (:end_day - :first_day), 2 * (:end_day - :first_day)) as amount_cents,
    fn.int_div(2 * fact.base_cents + (:end_day - :first_day), 2 * (:end_day - :first_day)) as amount_base_cents, fact.unpriced, fact.unrated,
    fact.rated_from, fact.rated_through
    /*{dimensions}*/
  from monthly as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select fact_currency, sum(amount_cents) as amount_sum, sum(amount_base_cents) as amount_base_sum, sum(unpriced) as unpriced_count,
  sum(unrated) as unrated_count, min(rated_from) as unrated_from, max(rated_through) as unrated_through
  /*{dimension_names}*/
from measure
group by fact_currency /*{group_by}*/
