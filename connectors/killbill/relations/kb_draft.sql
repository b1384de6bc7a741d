-- relation: kb_draft
-- param:    tenants integers
-- Invoices that were drafts, with the instant at which each was committed (KB 8.1). It is null if nothing was recorded of that.
select draft.target_record_id as invoice_key, min(committed.created_date) as committed_at
from invoice_history as draft
left join invoice_history as committed on committed.target_record_id = draft.target_record_id and committed.status = 'COMMITTED'
where draft.tenant_record_id in (:tenants) and draft.status = 'DRAFT'
group by draft.target_record_id
