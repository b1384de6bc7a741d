-- metric: expenses
-- query:  lines_by
-- reads:  expense_line, expense_account, fx_rate
-- param:  books integers
-- param:  first date
-- param:  last date
-- param:  step text
-- param:  base_currency text
-- param:  foreign_only boolean
-- Expense lines by vendor, currency or tag. A day has nearly as many vendors, currencies and tags as lines, so summing by day
-- first would save nothing.
with line as (
  select fact.book_id, fact.account_external_id, fact.currency as fact_currency, fact.document_date, fact.amount_cents,
    case when fact.currency = :base_currency or fact.amount_cents = 0 then fact.amount_cents
      when fact.home_currency = :base_currency and fact.home_amount_cents is not null then fact.home_amount_cents
      else fn.converted(fact.amount_cents, rate.rate) end as amount_base_cents,
    case when :step = 'day' then fact.document_date
      when :step = 'month' then fn.month_start(fact.document_date)
      else :first end as bucket
    /*{dimensions}*/
  from relation.expense_line as fact
  left join relation.fx_rate as rate on rate.day = fact.document_date and rate.currency = fact.currency
  /*{joins}*/
  where fact.book_id in (:books) and fact.document_date >= :first and fact.document_date <= :last
    and (:foreign_only = false or fact.currency <> :base_currency and fact.amount_cents <> 0
      and (fact.home_amount_cents is null or fact.home_currency <> :base_currency))
  /*{filters}*/
),
grouped as (
  select bucket, book_id, account_external_id, fact_currency, sum(amount_cents) as amount_sum, sum(amount_base_cents) as base_sum,
    count(*) as line_count, sum(case when amount_base_cents is null then 1 else 0 end) as unrated_count,
    min(case when amount_base_cents is null then document_date end) as unrated_first,
    max(case when amount_base_cents is null then document_date end) as unrated_last
    /*{dimension_names}*/
  from line
  group by bucket, book_id, account_external_id, fact_currency /*{group_by}*/
),
measure as (
  select grouped.*, coalesce(account.account_type, 'unknown') as account_type
  from grouped
  left join relation.expense_account as account
    on account.book_id = grouped.book_id and account.external_id = grouped.account_external_id
)
select bucket, book_id, account_type, fact_currency, sum(amount_sum) as amount_sum, sum(base_sum) as base_sum, sum(line_count) as line_count,
  sum(unrated_count) as unrated_count, min(unrated_first) as unrated_from, max(unrated_last) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, book_id, account_type, fact_currency /*{group_by}*/
