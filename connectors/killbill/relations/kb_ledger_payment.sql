-- relation: kb_ledger_payment
-- param: tenants integers
-- param: now timestamp
-- Payments, refunds and chargebacks that succeeded (KB 8.4). A chargeback that was reversed has status INIT. Its history says from when on: it
-- counts from its day, and is taken back on the day of the reversal (R19).
select payment.record_id as payment_key, payment.invoice_id, payment.type, payment.payment_date as paid_at, payment.amount, 0 as is_reversal
from invoice_payments as payment
where payment.tenant_record_id in (:tenants) and payment.status = 'SUCCESS'
union all
select charged.target_record_id, charged.invoice_id, 'CHARGED_BACK', case side.step when 0 then charged.charged_at else charged.reversed_at end,
  case side.step when 0 then charged.amount else -charged.amount end, side.step
from (
  select history.target_record_id, history.invoice_id, min(case when history.status = 'SUCCESS' then history.created_date end) as charged_at,
    max(case when history.status <> 'SUCCESS' then history.created_date end) as reversed_at,
    min(case when history.status = 'SUCCESS' then history.amount end) as amount
  from invoice_payment_history as history
  join invoice_payments as payment on payment.record_id = history.target_record_id
  where history.tenant_record_id in (:tenants) and payment.tenant_record_id in (:tenants) and payment.type = 'CHARGED_BACK'
    and payment.status <> 'SUCCESS' and history.created_date <= :now
  group by history.target_record_id, history.invoice_id
) as charged
cross join (select 0 as step union all select 1) as side
where charged.charged_at is not null and charged.reversed_at > charged.charged_at
