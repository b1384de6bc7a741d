-- metric: ledger
-- query:  recognized
-- reads:  ledger_state
-- Revenue at the end of each day of `ledger_day`: recognized, deferred and unbilled (R9, R10), and recognized on the days before (R12).
with measure as (
  select fact.currency as fact_currency, fact.charge_kind as fact_kind, fact.day_index, fact.at_cents, fact.at_base_cents, fact.before_cents,
    fact.before_base_cents, fact.deferred_cents, fact.deferred_base_cents, fact.unbilled_cents, fact.unbilled_base_cents, fact.unrated, fact.posted_on
    /*{dimensions}*/
  from relation.ledger_state as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select day_index, fact_currency, sum(at_cents) as at_sum, sum(at_base_cents) as at_base_sum, sum(before_cents) as before_sum,
  sum(before_base_cents) as before_base_sum, sum(deferred_cents) as deferred_sum, sum(deferred_base_cents) as deferred_base_sum,
  sum(unbilled_cents) as unbilled_sum, sum(unbilled_base_cents) as unbilled_base_sum, 0 as unpriced_count, sum(unrated) as unrated_count,
  min(case when unrated = 1 then posted_on end) as unrated_from, max(case when unrated = 1 then posted_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by day_index, fact_currency /*{group_by}*/
