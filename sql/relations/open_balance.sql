-- relation: open_balance
-- reads:    ledger_entry, ledger_invoice, ledger_day, fx_rate
-- param:    net_terms integer
-- param:    base_currency text
-- param:    rate_day date
-- param:    receivables_rate text
-- param:    valued_through date
-- Open balances of invoices at the end of each day of `ledger_day` (R13 to R18): those of receivables, and those that are written off. Days past due
-- count from :net_terms days after the issue if the engine has no due day (R17). A balance has the rate of its issue, or with
-- :receivables_rate = closing that of the day, up to :valued_through (R24). Bad debt keeps the rate of the issue. The empty part of `aged` keeps MySQL
-- and MariaDB from looking up rates by currency alone (ledger_entry.sql).
with open_amount as (
  select entry.customer_key, entry.invoice_id, entry.currency, slot.day_index, slot.day_number,
    sum(case when entry.term = 'write_off' then 0 - entry.amount_cents else entry.amount_cents end) as balance_cents,
    sum(case when entry.term = 'write_off' then entry.amount_cents else 0 end) as written_off_cents,
    sum(case when entry.term in ('refund', 'chargeback') then entry.amount_cents else 0 end) as returned_cents,
    sum(case when entry.term in ('payment', 'refund', 'chargeback') then 0 - entry.amount_cents else 0 end) as paid_cents,
    max(case when entry.invoice_id is null then entry.posted_on end) as moved_on
  from relation.ledger_entry as entry
  join relation.ledger_day as slot on fn.day_number(entry.posted_on) <= slot.day_number
  group by entry.customer_key, entry.invoice_id, entry.currency, slot.day_index, slot.day_number
),
aged as (
  select open_amount.customer_key, open_amount.invoice_id, invoice.invoice_number, open_amount.currency, open_amount.day_index,
    open_amount.balance_cents, open_amount.written_off_cents, open_amount.paid_cents, coalesce(invoice.issued_on, open_amount.moved_on) as issued_on,
    case when :receivables_rate = 'closing' then cast(fn.add_period(date '1970-01-01', 0, open_amount.day_number) as date)
      else coalesce(invoice.issued_on, open_amount.moved_on) end as closing_on,
    open_amount.day_number - case when invoice.due_on is not null then fn.day_number(invoice.due_on)
      else fn.day_number(coalesce(invoice.issued_on, open_amount.moved_on)) + :net_terms end as days_past_due,
    case when open_amount.balance_cents <= 0 or open_amount.returned_cents <= 0 then 0
      when open_amount.returned_cents < open_amount.balance_cents then open_amount.returned_cents else open_amount.balance_cents end
      as reopened_cents
  from open_amount
  left join relation.ledger_invoice as invoice on invoice.invoice_id = open_amount.invoice_id
  where open_amount.balance_cents <> 0 or open_amount.written_off_cents <> 0
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null from (select 1 as one) as nothing where 1 = 0
)
select aged.customer_key, aged.invoice_id, aged.invoice_number, aged.currency, aged.day_index, aged.balance_cents, aged.written_off_cents,
  aged.paid_cents, aged.issued_on, aged.days_past_due, aged.reopened_cents,
  case when aged.closing_on > :valued_through then :valued_through else aged.closing_on end as rated_on,
  case when aged.currency = :base_currency or aged.balance_cents = 0 then aged.balance_cents else fn.converted(aged.balance_cents, rate.rate) end
    as balance_base_cents,
  case when aged.currency = :base_currency or aged.written_off_cents = 0 then aged.written_off_cents
    else fn.converted(aged.written_off_cents, issue.rate) end as written_off_base_cents,
  case when aged.currency = :base_currency or aged.reopened_cents = 0 then aged.reopened_cents else fn.converted(aged.reopened_cents, rate.rate) end
    as reopened_base_cents
from aged
left join relation.fx_rate as rate on rate.currency = aged.currency
  and rate.day = coalesce(:rate_day, case when aged.closing_on > :valued_through then :valued_through else aged.closing_on end)
left join relation.fx_rate as issue on issue.currency = aged.currency and issue.day = coalesce(:rate_day, aged.issued_on)
