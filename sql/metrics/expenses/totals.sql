-- metric: expenses
-- query:  totals
-- reads:  expense_total, expense_account
-- param:  books integers
-- param:  first date
-- param:  last date
-- param:  step text
-- param:  base_currency text
-- Expense lines, read from the sums in expense_total, for queries that need only day, account, book and currency. Base cents
-- cover the lines that need no rate from the table. The others are counted in `unrated_count`.
with total as (
  select fact.book_id, fact.document_date, fact.account_external_id, fact.currency as fact_currency, fact.amount_sum, fact.line_count,
    case when fact.currency = :base_currency then fact.amount_sum
      when fact.home_currency = :base_currency then fact.home_sum
      else 0 end as base_sum,
    case when fact.currency = :base_currency then 0
      when fact.home_currency = :base_currency then fact.unhomed_count
      else fact.nonzero_count end as unrated_count,
    case when :step = 'day' then fact.document_date
      when :step = 'month' then fn.month_start(fact.document_date)
      else :first end as bucket
    /*{dimensions}*/
  from relation.expense_total as fact
  /*{joins}*/
  where fact.book_id in (:books) and fact.document_date >= :first and fact.document_date <= :last
  /*{filters}*/
),
measure as (
  select total.*, coalesce(account.account_type, 'unknown') as account_type,
    case when total.unrated_count > 0 then total.document_date end as unrated_on
  from total
  left join relation.expense_account as account on account.book_id = total.book_id and account.external_id = total.account_external_id
)
select bucket, book_id, account_type, fact_currency, sum(amount_sum) as amount_sum, sum(base_sum) as base_sum, sum(line_count) as line_count,
  sum(unrated_count) as unrated_count, min(unrated_on) as unrated_from, max(unrated_on) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, book_id, account_type, fact_currency /*{group_by}*/
