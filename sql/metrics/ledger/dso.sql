-- metric: ledger
-- query:  dso
-- reads:  ledger_entry, ledger_invoice, ledger_write_off, ledger_day, fx_rate
-- param:  base_currency text
-- param:  rate_day date
-- Billings, and invoices that were paid, in the days after `day_before` up to each day of `ledger_day` (R29). Billings are charges, adjustments and tax. An
-- invoice is paid on the first day at whose end nothing is open (D53), if it is neither void nor written off then. It counts with its payments up to that
-- day. Each amount has the rate of its posting.
with rated as (
  select entry.*, case when entry.currency = :base_currency then entry.amount_cents else fn.converted(entry.amount_cents, rate.rate) end
    as amount_base_cents
  from relation.ledger_entry as entry
  left join relation.fx_rate as rate on rate.currency = entry.currency and rate.day = coalesce(:rate_day, entry.rated_on)
  where entry.term <> 'write_off' and entry.invoice_id is not null
),
posted as (
  select rated.customer_key, rated.invoice_id, rated.currency, rated.posted_on, sum(rated.amount_cents) as amount_cents,
    sum(case when rated.term in ('charge', 'adjustment', 'tax') then rated.amount_cents else 0 end) as billed_cents,
    sum(case when rated.term in ('charge', 'adjustment', 'tax') then rated.amount_base_cents else 0 end) as billed_base_cents,
    sum(case when rated.term in ('payment', 'refund', 'chargeback') then 0 - rated.amount_cents else 0 end) as paid_cents,
    sum(case when rated.term in ('payment', 'refund', 'chargeback') then 0 - rated.amount_base_cents else 0 end) as paid_base_cents,
    max(case when rated.amount_base_cents is null then 1 else 0 end) as unrated,
    min(case when rated.amount_base_cents is null then rated.rated_on end) as unrated_on
  from rated
  group by rated.customer_key, rated.invoice_id, rated.currency, rated.posted_on
),
running as (
  select posted.*, sum(posted.amount_cents) over w as balance_cents, sum(posted.paid_cents) over w as paid_so_far,
    sum(posted.paid_base_cents) over w as paid_base_so_far, max(posted.unrated) over w as unrated_so_far, min(posted.unrated_on) over w as unrated_first
  from posted
  window w as (partition by posted.invoice_id order by posted.posted_on)
),
settled as (
  select running.*, min(case when running.balance_cents <= 0 then running.posted_on end) over (partition by running.invoice_id) as settled_on
  from running
),
paid as (
  select settled.*, fn.day_number(settled.posted_on) as posted_day, fn.day_number(settled.posted_on) - fn.day_number(invoice.issued_on) as days,
    case when settled.settled_on = settled.posted_on and written.invoice_id is null
      and settled.posted_on < coalesce(invoice.gone_on, date '9999-12-31') then 1 else 0 end as is_paid
  from settled
  join relation.ledger_invoice as invoice on invoice.invoice_id = settled.invoice_id
  left join relation.ledger_write_off as written on written.invoice_id = settled.invoice_id and written.from_on <= settled.posted_on
    and coalesce(written.to_on, date '9999-12-31') > settled.posted_on
),
measure as (
  select fact.currency as fact_currency, slot.day_index, fact.posted_on, fact.billed_cents, fact.billed_base_cents,
    fact.is_paid * fact.paid_so_far as paid_cents, fact.is_paid * fact.paid_base_so_far as paid_base_cents,
    fact.is_paid * fact.days * fact.paid_so_far as paid_days, fact.is_paid * fact.days * fact.paid_base_so_far as paid_base_days,
    case when fact.is_paid = 1 then fact.unrated_so_far else fact.unrated end as unrated,
    case when fact.is_paid = 1 then fact.unrated_first else fact.unrated_on end as unrated_on
    /*{dimensions}*/
  from paid as fact
  join relation.ledger_day as slot on fact.posted_day > slot.day_before and fact.posted_day <= slot.day_number
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select day_index, fact_currency, sum(billed_cents) as billed_sum, sum(billed_base_cents) as billed_base_sum, sum(paid_cents) as paid_sum,
  sum(paid_base_cents) as paid_base_sum, sum(paid_days) as paid_days_sum, sum(paid_base_days) as paid_days_base_sum, 0 as unpriced_count,
  sum(unrated) as unrated_count, min(unrated_on) as unrated_from, max(unrated_on) as unrated_through
  /*{dimension_names}*/
from measure
group by day_index, fact_currency /*{group_by}*/
