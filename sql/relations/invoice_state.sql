-- relation: invoice_state
-- reads:    billed_invoice, fx_rate
-- param:    base_currency text
-- param:    now timestamp
-- param:    today date
-- param:    rate_day date
-- Every invoice with its age while it is open (D90), and its amounts in the base currency. The rate is that of :rate_day, else of the payment day. Without
-- a payment it is that of the invoice day, but not of a day after today: the invoice day of an account ahead of UTC can be tomorrow.
with dated as (
  select billed.*,
    case when billed.status = 'open' or (billed.status = 'paid' and billed.balance_cents <> 0)
      then fn.integer(fn.int_div(fn.microseconds_between(fn.add_period(billed.invoice_date, 0, 0), fn.clock(:now)), 86400000000)) end as days_open,
    coalesce(:rate_day, case when billed.paid_at is not null then cast(billed.paid_at as date) when billed.invoice_date > :today then :today
      else billed.invoice_date end) as rated_on
  from relation.billed_invoice as billed
)
select dated.customer_key, dated.invoice_id, dated.invoice_number, dated.status, dated.currency, dated.invoice_date, dated.created_at,
  dated.paid_at, dated.voided_at, dated.total_cents, dated.tax_cents, dated.usage_cents, dated.amount_paid_cents, dated.balance_cents,
  dated.days_open,
  case when dated.days_open <= 30 then '0-30' when dated.days_open <= 60 then '31-60' when dated.days_open <= 90 then '61-90'
    when dated.days_open > 90 then 'over-90' end as age,
  case when dated.currency = :base_currency or dated.total_cents = 0 then dated.total_cents
    else fn.converted(dated.total_cents, rate.rate) end as total_base_cents,
  case when dated.currency = :base_currency or dated.balance_cents = 0 then dated.balance_cents
    else fn.converted(dated.balance_cents, rate.rate) end as balance_base_cents
from dated
left join relation.fx_rate as rate on rate.currency = dated.currency and rate.day = dated.rated_on
