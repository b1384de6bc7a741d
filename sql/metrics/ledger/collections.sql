-- metric: ledger
-- query:  collections
-- reads:  ledger_attempt, ledger_entry, ledger_invoice, ledger_payer, fx_rate
-- param:  from_on date
-- param:  to_on date
-- param:  known_on date
-- param:  recovery_window integer
-- param:  step text
-- param:  base_currency text
-- param:  rate_day date
-- Attempts to collect invoices (R27), by the day of the first attempt of each invoice, and open invoices without an attempt, by the day of the issue.
-- `settled_on` is the first day at whose end nothing is open, from the failure of the first attempt on. It is also `paid_on` if without the payments of
-- the day something would be. A write-off pays nothing. An amount has the rate of its attempt. The empty part keeps MySQL and MariaDB from
-- looking up rates by currency alone (ledger_entry.sql).
with posted as (
  select entry.invoice_id, entry.posted_on, sum(case when entry.term = 'write_off' then 0 else entry.amount_cents end) as amount_cents,
    sum(case when entry.term = 'payment' then entry.amount_cents else 0 end) as paid_cents,
    sum(case when entry.term = 'write_off' then 0 - entry.amount_cents else entry.amount_cents end) as open_cents
  from relation.ledger_entry as entry
  where entry.invoice_id is not null
  group by entry.invoice_id, entry.posted_on
),
running as (
  select posted.invoice_id, posted.posted_on, posted.paid_cents, posted.open_cents,
    sum(posted.amount_cents) over (partition by posted.invoice_id order by posted.posted_on) as balance_cents
  from posted
),
settled as (
  select running.invoice_id, sum(running.open_cents) as open_cents,
    min(case when running.posted_on >= refused.attempted_on and running.balance_cents <= 0 then running.posted_on end) as settled_on,
    min(case when running.posted_on >= refused.attempted_on and running.balance_cents <= 0 and running.balance_cents - running.paid_cents > 0
      then running.posted_on end) as paid_on
  from running
  left join relation.ledger_attempt as refused on refused.invoice_id = running.invoice_id and refused.place = 1 and refused.outcome = 'failure'
    and refused.attempted_on <= :known_on
  group by running.invoice_id
),
attempt as (
  select attempt.*, min(attempt.attempted_on) over (partition by attempt.invoice_id) as first_on
  from relation.ledger_attempt as attempt
  where attempt.attempted_on <= :known_on
),
tried as (
  select invoice.customer_key, invoice.invoice_id, invoice.currency, invoice.issued_on, attempt.attempted_at, attempt.attempted_on,
    attempt.gateway_error, attempt.payment_method, coalesce(attempt.first_on, invoice.issued_on) as posted_on,
    case when attempt.attempt_id is null then payer.obstacle end as obstacle,
    case when attempt.attempt_id is null then 1 else 0 end as is_untried,
    case when attempt.place = 1 then 1 else 0 end as is_first,
    case when attempt.outcome = 'failure' then 1 else 0 end as is_failed,
    case when attempt.place = 1 and attempt.outcome = 'failure' then 1 else 0 end as is_refused,
    case when attempt.place = 1 and attempt.outcome = 'failure' then attempt.amount_cents else 0 end as amount_cents,
    case when attempt.place = 1 and settled.paid_on = settled.settled_on
      then fn.day_number(settled.paid_on) - fn.day_number(attempt.attempted_on) end as days_to_pay
  from relation.ledger_invoice as invoice
  left join settled on settled.invoice_id = invoice.invoice_id
  left join attempt on attempt.invoice_id = invoice.invoice_id
  left join relation.ledger_payer as payer on payer.customer_key = invoice.customer_key
  where attempt.attempt_id is not null or (settled.open_cents > 0 and payer.customer_key is not null)
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null from (select 1 as one) as nothing where 1 = 0
),
rated as (
  select tried.*, case when tried.days_to_pay <= :recovery_window then tried.days_to_pay end as recovery_days,
    case when tried.amount_cents = 0 or tried.currency = :base_currency then tried.amount_cents
      else fn.converted(tried.amount_cents, rate.rate) end as amount_base_cents
  from tried
  left join relation.fx_rate as rate on rate.currency = tried.currency and rate.day = coalesce(:rate_day, tried.attempted_on)
  where tried.posted_on >= :from_on and tried.posted_on <= :to_on
),
measure as (
  select fact.currency as fact_currency, fact.is_untried, fact.is_first, fact.is_failed, fact.is_refused, fact.recovery_days, fact.amount_cents,
    fact.amount_base_cents, fact.attempted_on, case when fact.amount_base_cents is null then 1 else 0 end as unrated,
    case when :step = 'day' then fact.posted_on when :step = 'month' then fn.month_start(fact.posted_on) else :from_on end as bucket
    /*{dimensions}*/
  from rated as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select bucket, fact_currency, recovery_days, sum(is_first) as attempted_count, sum(is_refused) as refused_count, sum(amount_cents) as amount_sum,
  sum(amount_base_cents) as amount_base_sum, sum(case when recovery_days is not null then 1 else 0 end) as recovered_count,
  sum(1 - is_untried) as attempt_count, sum(is_failed) as failed_count, sum(is_untried) as untried_count, 0 as unpriced_count,
  sum(unrated) as unrated_count, min(case when unrated = 1 then attempted_on end) as unrated_from,
  max(case when unrated = 1 then attempted_on end) as unrated_through
  /*{dimension_names}*/
from measure
group by bucket, fact_currency, recovery_days /*{group_by}*/
