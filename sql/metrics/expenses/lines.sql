-- metric: expenses
-- query:  lines
-- reads:  expense_line, expense_account, fx_rate
-- param:  books integers
-- param:  first date
-- param:  last date
-- param:  step text
-- param:  base_currency text
-- param:  foreign_only boolean
-- Lines dated :first to :last (D60), each converted separately: at the rate of the document if the books are kept in the base
-- currency, else at the rate of its day (D13). They are summed by day and account in index order before any join, then by day,
-- month or in total, as :step requires. With :foreign_only, only lines that need a rate from the table are read. Used for groups
-- by account and book only.
with line as (
  select fact.book_id, fact.document_date, fact.account_external_id, fact.currency as fact_currency, fact.amount_cents,
    case when fact.currency = :base_currency or fact.amount_cents = 0 then fact.amount_cents
      when fact.home_currency = :base_currency and fact.home_amount_cents is not null then fact.home_amount_cents
      else fn.converted(fact.amount_cents, rate.rate) end as amount_base_cents
    /*{dimensions}*/
  from relation.expense_line as fact
  left join relation.fx_rate as rate on rate.day = fact.document_date and rate.currency = fact.currency
  /*{joins}*/
  where fact.book_id in (:books) and fact.document_date >= :first and fact.document_date <= :last
    and (:foreign_only = false or fact.currency <> :base_currency and fact.amount_cents <> 0
      and (fact.home_amount_cents is null or fact.home_currency <> :base_currency))
  /*{filters}*/
),
daily as (
  select book_id, document_date, account_external_id, fact_currency, sum(amount_cents) as amount_sum,
    sum(amount_base_cents) as base_sum, count(*) as line_count,
    sum(case when amount_base_cents is null then 1 else 0 end) as unrated_count
    /*{dimension_names}*/
  from line
  group by book_id, document_date, account_external_id, fact_currency /*{group_by}*/
),
measure as (
  select daily.*, coalesce(account.account_type, 'unknown') as account_type,
    case when :step = 'day' then daily.document_date
      when :step = 'month' then fn.month_start(daily.document_date)
      else :first end as bucket,
    case when daily.unrated_count > 0 then daily.document_date end as unrated_on
  from daily
  left join relation.expense_account as account on account.book_id = daily.book_id and account.external_id = daily.account_external_id
)
select bucket, book_id, account_type, fact_currency, sum(amount_sum) as amount_sum, sum(base_sum) as base_sum, sum(line_count) as line_count,
  sum(unrated_count) as unrated_count, min(unrated_on) as unrated_from, max(unrated_on) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, book_id, account_type, fact_currency /*{group_by}*/
