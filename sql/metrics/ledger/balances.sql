-- metric: ledger
-- query:  balances
-- reads:  open_balance
-- Open balances at the end of each day of `ledger_day`, by days past due.
with measure as (
  select fact.currency as fact_currency, fact.day_index, fact.days_past_due, fact.balance_cents, fact.balance_base_cents,
    fact.written_off_cents, fact.written_off_base_cents, fact.reopened_cents, fact.reopened_base_cents, fact.issued_on,
    case when fact.balance_base_cents is not null and fact.written_off_base_cents is null then fact.issued_on else fact.rated_on end as rated_on,
    case when fact.balance_base_cents is null or fact.written_off_base_cents is null then 1 else 0 end as unrated
    /*{dimensions}*/
  from relation.open_balance as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select day_index, days_past_due, fact_currency, sum(case when balance_cents <> 0 then 1 else 0 end) as invoice_count,
  sum(balance_cents) as balance_sum, sum(balance_base_cents) as balance_base_sum, sum(written_off_cents) as written_off_sum,
  sum(written_off_base_cents) as written_off_base_sum, sum(reopened_cents) as reopened_sum, sum(reopened_base_cents) as reopened_base_sum,
  0 as unpriced_count, sum(unrated) as unrated_count, min(case when unrated = 1 then rated_on end) as unrated_from,
  max(case when unrated = 1 then rated_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by day_index, days_past_due, fact_currency /*{group_by}*/
