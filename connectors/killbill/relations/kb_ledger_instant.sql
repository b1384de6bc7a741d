-- relation: kb_ledger_instant
-- param: tenants integers
-- Instants that only the books compare with now: the history of chargebacks that were reversed, and write-offs.
select history.invoice_id, history.created_date as changes_at
from invoice_payment_history as history
join invoice_payments as payment on payment.record_id = history.target_record_id
where history.tenant_record_id in (:tenants) and payment.tenant_record_id in (:tenants) and payment.type = 'CHARGED_BACK'
  and payment.status <> 'SUCCESS'
union all
select tag.object_id, tag.created_date
from tags as tag
where tag.tenant_record_id in (:tenants) and tag.object_type = 'INVOICE' and tag.tag_definition_id = '00000000-0000-0000-0000-000000000004'
