-- relation: kb_ledger_item
-- reads:    kb_ledger_invoice
-- param:    tenants integers
-- param:    now timestamp
-- Items of the books that have an amount, with the day on which each was posted (R3). Items of 0 have no effect (R4). The empty part
-- at the end has the reason of that of kb_ledger_invoice.
with dated as (
  select item.record_id as item_key, item.id as item_id, item.type, item.linked_item_id, item.subscription_id, item.phase_name, item.child_account_id,
    item.start_date, item.end_date, fn.integer(round(100 * item.amount, 0)) as amount_cents, invoice.invoice_id, invoice.customer_key,
    invoice.currency, invoice.is_parent, invoice.issued_on, invoice.gone_on,
    cast(fn.add_seconds(item.created_date, invoice.utc_offset_seconds) as date) as written_on
  from relation.kb_ledger_invoice as invoice
  join invoice_items as item on item.invoice_id = invoice.invoice_id
  where item.tenant_record_id in (:tenants) and item.created_date <= :now
)
select dated.item_key, dated.item_id, dated.type, dated.linked_item_id, dated.subscription_id, dated.phase_name, dated.child_account_id,
  dated.start_date, dated.end_date, dated.amount_cents, dated.invoice_id, dated.customer_key, dated.currency, dated.is_parent, dated.issued_on,
  dated.gone_on, case when dated.written_on > dated.issued_on then dated.written_on else dated.issued_on end as posted_on
from dated
where dated.amount_cents <> 0
union all
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null from tenants as nothing where 1 = 0
