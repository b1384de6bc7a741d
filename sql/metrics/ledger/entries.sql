-- metric: ledger
-- query:  entries
-- reads:  ledger_entry, fx_rate
-- param:  from_on date
-- param:  to_on date
-- param:  step text
-- param:  base_currency text
-- param:  rate_day date
-- Postings up to :to_on by term (J5, R10, R19, R20), each at the rate of its day (R24), by day or month as :step requires. Those before :from_on are one
-- bucket.
with entry as (
  select entry.*, case when entry.currency = :base_currency then entry.amount_cents else fn.converted(entry.amount_cents, rate.rate) end
    as amount_base_cents
  from relation.ledger_entry as entry
  left join relation.fx_rate as rate on rate.currency = entry.currency and rate.day = coalesce(:rate_day, entry.rated_on)
  where entry.posted_on <= :to_on
),
measure as (
  select fact.currency as fact_currency, fact.term, fact.is_void, fact.amount_cents, fact.amount_base_cents, fact.rated_on,
    case when fact.amount_base_cents is null then 1 else 0 end as unrated,
    case when fact.posted_on < :from_on then date '1000-01-01' when :step = 'day' then fact.posted_on
      when :step = 'month' then fn.month_start(fact.posted_on) else :from_on end as bucket
    /*{dimensions}*/
  from entry as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select bucket, fact_currency, term, is_void, sum(amount_cents) as amount_sum, sum(amount_base_cents) as amount_base_sum, 0 as unpriced_count,
  sum(unrated) as unrated_count, min(case when unrated = 1 then rated_on end) as unrated_from,
  max(case when unrated = 1 then rated_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, fact_currency, term, is_void /*{group_by}*/
