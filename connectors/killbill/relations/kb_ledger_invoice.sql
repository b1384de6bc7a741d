-- relation: kb_ledger_invoice
-- reads:    kb_account_zone, kb_draft
-- param:    tenants integers
-- param:    now timestamp
-- Invoices of the books (R2): those that were final at some time. `issued_on` is the later of the invoice date and the day of the commit (R3). A void
-- without a recorded day leaves the books on the day of the issue. The empty part at the end keeps MySQL and MariaDB from merging the relation into its
-- readers, whose joins would be too many to plan.
with final as (
  select invoice.id as invoice_id, invoice.record_id as invoice_key, invoice.account_record_id as customer_key, invoice.currency,
    case when invoice.parent_invoice = true then 1 else 0 end as is_parent, zone.utc_offset_seconds, invoice.invoice_date, invoice.status,
    case when draft.invoice_key is null or invoice.status = 'COMMITTED' then coalesce(draft.committed_at, invoice.created_date)
      else draft.committed_at end as committed_at
  from invoices as invoice
  join relation.kb_account_zone as zone on zone.customer_key = invoice.account_record_id
  left join relation.kb_draft as draft on draft.invoice_key = invoice.record_id
  where invoice.tenant_record_id in (:tenants) and invoice.status in ('COMMITTED', 'VOID') and coalesce(invoice.migrated, false) = false
    and invoice.created_date <= :now
),
dated as (
  select final.*, cast(fn.add_seconds(final.committed_at, final.utc_offset_seconds) as date) as committed_on,
    cast(fn.add_seconds(voided.voided_at, final.utc_offset_seconds) as date) as voided_on
  from final
  left join (
    select history.target_record_id, min(history.created_date) as voided_at
    from invoice_history as history
    where history.tenant_record_id in (:tenants) and history.status = 'VOID'
    group by history.target_record_id
  ) as voided on voided.target_record_id = case when final.status = 'VOID' then final.invoice_key end
  where final.committed_at <= :now
),
issued as (
  select dated.*, case when dated.committed_on > dated.invoice_date then dated.committed_on else dated.invoice_date end as issued_on
  from dated
)
select issued.invoice_id, issued.invoice_key, issued.customer_key, issued.currency, issued.is_parent, issued.utc_offset_seconds, issued.issued_on,
  case when issued.status = 'VOID' then case when issued.voided_on > issued.issued_on then issued.voided_on else issued.issued_on end end as gone_on
from issued
union all
select null, null, null, null, null, null, null, null from tenants as nothing where 1 = 0
