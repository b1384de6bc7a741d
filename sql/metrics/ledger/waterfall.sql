-- metric: ledger
-- query:  waterfall
-- reads:  ledger_state
-- param:  last_day integer
-- param:  last_index integer
-- Recognized revenue at the end of each day of `ledger_day`, by the month in which the charges were posted (R11). Charges that are posted after
-- :last_day have none. The last day of all also has what was booked, the net with all adjustments, and what remains.
with measure as (
  select fact.currency as fact_currency, fact.day_index, fact.at_cents, fact.at_base_cents,
    case when fact.posted_day <= :last_day then fn.month_start(fact.posted_on) end as booked_month,
    case when fact.day_index = :last_index then fact.charged_cents else 0 end as charged_cents,
    case when fact.day_index = :last_index then fact.charged_base_cents else 0 end as charged_base_cents,
    case when fact.day_index = :last_index then fact.deferred_cents - fact.unbilled_cents else 0 end as remaining_cents,
    case when fact.day_index = :last_index then fact.deferred_base_cents - fact.unbilled_base_cents else 0 end as remaining_base_cents,
    fact.unrated, fact.posted_on
    /*{dimensions}*/
  from relation.ledger_state as fact
  /*{joins}*/
  where fact.is_at = 1
  /*{filters}*/
)
select day_index, booked_month, fact_currency, sum(at_cents) as at_sum, sum(at_base_cents) as at_base_sum, sum(charged_cents) as charged_sum,
  sum(charged_base_cents) as charged_base_sum, sum(remaining_cents) as remaining_sum, sum(remaining_base_cents) as remaining_base_sum,
  0 as unpriced_count, sum(unrated) as unrated_count, min(case when unrated = 1 then posted_on end) as unrated_from,
  max(case when unrated = 1 then posted_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by day_index, booked_month, fact_currency /*{group_by}*/
