-- relation: kb_parent_surplus
-- reads:    kb_parent_entry
-- param:    tenants integers
-- param:    now timestamp
-- Amounts that the invoice of a parent still asks for, although an invoice of its child no longer does (KB 8.7). Credit of the child was
-- used for it later, or it was voided. Credit that is used at once is in the amount of the parent's item. Only items that their invoices prove to the cent are
-- judged. `lowered` is the loss of the item beyond the adjustments that the engine passes on from the linked invoice. It settles the oldest amounts first.
-- A parent's invoice that is void, migrated or written off asks for nothing.
with taken as (
  select entry.parent_invoice_id, entry.child_key, entry.kind, entry.invoice_id, entry.amount, entry.made_at
  from relation.kb_parent_entry as entry
  join invoices as parent on parent.id = entry.parent_invoice_id
  left join tags as written_off on written_off.object_id = parent.id and written_off.object_type = 'INVOICE'
    and written_off.tag_definition_id = '00000000-0000-0000-0000-000000000004' and written_off.is_active = true
    and written_off.created_date <= :now
  where entry.open_amount > -0.0005 and entry.open_amount < 0.0005 and entry.invoice_id is not null and parent.status in ('DRAFT', 'COMMITTED')
    and coalesce(parent.migrated, false) = false and parent.created_date <= :now and written_off.object_id is null
),
-- Changes after an invoice was added: credit, and adjustments. Those of a linked one reach the parent.
changed as (
  select taken.parent_invoice_id, taken.child_key, taken.kind, taken.invoice_id, taken.made_at, child.status,
    child.record_id as invoice_key, -taken.amount as amount,
    sum(case when item.type = 'ITEM_ADJ' and taken.kind = 'linked' then item.amount else 0 end) as adjusted,
    -sum(case when item.type = 'CBA_ADJ' then item.amount else 0 end) as credit_used,
    min(case when item.type = 'CBA_ADJ' and item.amount < 0 then item.created_date end) as used_at
  from taken
  join invoices as child on child.id = taken.invoice_id
  left join invoice_items as item on item.invoice_id = taken.invoice_id and item.type in ('ITEM_ADJ', 'CBA_ADJ')
    and item.created_date > taken.made_at and item.created_date <= :now
  where taken.kind in ('linked', 'fitting') and taken.amount < 0
  group by taken.parent_invoice_id, taken.child_key, taken.kind, taken.invoice_id, taken.made_at, child.status, child.record_id,
    taken.amount
),
surplus as (
  select changed.parent_invoice_id, changed.child_key, changed.invoice_id, 'child_credit_on_parent' as kind, changed.used_at as since_at,
    changed.credit_used as amount
  from changed
  where changed.status = 'COMMITTED' and changed.credit_used > 0
  union all
  select changed.parent_invoice_id, changed.child_key, changed.invoice_id, 'child_void_on_parent',
    coalesce(min(voided.created_date), changed.made_at), changed.amount + changed.adjusted
  from changed
  left join invoice_history as voided on voided.target_record_id = changed.invoice_key and voided.status = 'VOID'
    and voided.tenant_record_id in (:tenants)
  where changed.status = 'VOID' and changed.amount + changed.adjusted > 0
  group by changed.parent_invoice_id, changed.child_key, changed.invoice_id, changed.made_at, changed.amount, changed.adjusted
),
correction as (
  select summary.invoice_id as parent_invoice_id, child.record_id as child_key, -adjustment.amount as amount
  from invoice_items as adjustment
  join invoice_items as summary on summary.id = adjustment.linked_item_id and summary.type = 'PARENT_SUMMARY'
  join accounts as child on child.id = summary.child_account_id
  where adjustment.tenant_record_id in (:tenants) and adjustment.type in ('ITEM_ADJ', 'REPAIR_ADJ') and adjustment.created_date <= :now
  union all
  select changed.parent_invoice_id, changed.child_key, changed.adjusted
  from changed
  union all
  -- Those before the commit are in the item already.
  select taken.parent_invoice_id, taken.child_key, taken.amount
  from taken
  where taken.kind = 'adjustment'
),
lowered as (
  select correction.parent_invoice_id, correction.child_key, sum(correction.amount) as amount
  from correction
  group by correction.parent_invoice_id, correction.child_key
),
line as (
  select surplus.*, coalesce(lowered.amount, 0) as lowered, sum(surplus.amount) over (
    partition by surplus.parent_invoice_id, surplus.child_key order by surplus.since_at, surplus.invoice_id rows unbounded preceding) as through_amount
  from surplus
  left join lowered on lowered.parent_invoice_id = surplus.parent_invoice_id and lowered.child_key = surplus.child_key
),
asked as (
  select line.*, case when line.through_amount - line.lowered < line.amount then line.through_amount - line.lowered else line.amount end as left_amount
  from line
)
select asked.child_key as customer_key, asked.parent_invoice_id, asked.invoice_id, asked.kind, asked.since_at,
  fn.integer(round(100 * asked.left_amount, 0)) as amount_cents
from asked
where asked.left_amount > 0.0005
