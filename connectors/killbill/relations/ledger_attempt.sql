-- relation: ledger_attempt
-- reads:    kb_ledger_invoice
-- param:    tenants integers
-- param:    now timestamp
-- Attempts to collect invoices of the books (R27): the purchases of each payment that an invoice names. A retry is another transaction of the same
-- payment, or another payment. A payment that the engine aborted by itself has no transaction. Only failures
-- have a code of the provider.
with named as (
  select distinct paid.invoice_id, paid.payment_id
  from invoice_payments as paid
  where paid.tenant_record_id in (:tenants) and paid.type = 'ATTEMPT' and paid.payment_id is not null
),
tried as (
  select invoice.customer_key, invoice.invoice_id, invoice.currency, attempt.record_id as attempt_key,
    coalesce(fn.integer(round(100 * attempt.amount, 0)), 0) as amount_cents, attempt.effective_date as attempted_at,
    cast(fn.add_seconds(attempt.effective_date, invoice.utc_offset_seconds) as date) as attempted_on,
    case when attempt.transaction_status = 'SUCCESS' then 'success'
      when attempt.transaction_status in ('PAYMENT_FAILURE', 'PLUGIN_FAILURE', 'PAYMENT_SYSTEM_OFF') then 'failure' else 'pending' end as outcome,
    attempt.gateway_error_code, method.plugin_name
  from named
  join relation.kb_ledger_invoice as invoice on invoice.invoice_id = named.invoice_id
  join payments as payment on payment.id = named.payment_id
  join payment_transactions as attempt on attempt.payment_id = payment.id
  left join payment_methods as method on method.id = payment.payment_method_id
  where attempt.tenant_record_id in (:tenants) and attempt.transaction_type = 'PURCHASE' and attempt.effective_date <= :now
)
select tried.customer_key, fn.text(tried.attempt_key) as attempt_id, tried.invoice_id, tried.currency, tried.amount_cents, tried.attempted_at,
  tried.attempted_on, row_number() over (partition by tried.invoice_id order by tried.attempted_at, tried.attempt_key) as place, tried.outcome,
  case when tried.outcome = 'failure' and tried.gateway_error_code <> '' then tried.gateway_error_code end as gateway_error,
  tried.plugin_name as payment_method
from tried
