-- relation: kb_parent_entry
-- reads:    kb_draft
-- needs:    invoice_parent_children
-- param:    tenants integers
-- param:    now timestamp
-- The items PARENT_SUMMARY of parents with what they are made of (KB 8.7). The engine collects the invoices of its children on a draft. The first
-- invoice of a child gets an item and a link. Later invoices are added to the amount of that item and get no link. So an invoice
-- without a link may belong to the item that was open when it was made, the one that opened last. The amounts prove it: those of the invoices when
-- they were made, with adjustments of the linked one before the commit, are together the amount of the item. Then `open_amount` is 0. Credits and
-- invoices of nothing are in the sum, too. The engine may add two invoices of one moment in the other
-- order, so an amount of the same day also fits before the item opened. A draft without a recorded commit is open for its day. An item is above 0 and
-- its invoices below. `made_at` is the instant of the amount of an invoice.
with made as (
  select invoice.id as invoice_id, invoice.account_record_id as child_key,
    case when draft.invoice_key is null or invoice.status = 'COMMITTED' then coalesce(draft.committed_at, invoice.created_date)
      else draft.committed_at end as made_at, link.parent_invoice_id as linked_to
  from invoices as invoice
  left join relation.kb_draft as draft on draft.invoice_key = invoice.record_id
  left join invoice_parent_children as link on link.child_invoice_id = invoice.id and link.tenant_record_id in (:tenants)
  where invoice.tenant_record_id in (:tenants) and invoice.status in ('COMMITTED', 'VOID') and coalesce(invoice.parent_invoice, false) = false
    and invoice.created_date <= :now and invoice.account_record_id in (
      select paid.account_record_id
      from invoice_parent_children as own
      join invoices as paid on paid.id = own.child_invoice_id
      where own.tenant_record_id in (:tenants)
    )
),
added as (
  select made.invoice_id, made.child_key, made.made_at, made.linked_to,
    case when sum(case when item.type in ('TAX', 'EXTERNAL_CHARGE', 'FIXED', 'USAGE', 'RECURRING') then 1 else 0 end) > 0 then sum(item.amount)
      else -sum(case when item.type = 'CBA_ADJ' then item.amount else 0 end) end as amount
  from made
  join invoice_items as item on item.invoice_id = made.invoice_id and item.created_date <= made.made_at
  group by made.invoice_id, made.child_key, made.made_at, made.linked_to
),
opened as (
  select added.linked_to as parent_invoice_id, added.child_key, min(added.made_at) as opened_at
  from added
  where added.linked_to is not null
  group by added.linked_to, added.child_key
),
summary as (
  select opened.parent_invoice_id, opened.child_key, opened.opened_at,
    case when parent.status = 'DRAFT' then timestamp '9999-12-31 00:00:00'
      else coalesce(draft.committed_at, fn.add_period(cast(parent.created_date as date), 0, 1)) end as closes_at, item.amount
  from opened
  join invoices as parent on parent.id = opened.parent_invoice_id
  join accounts as child on child.record_id = opened.child_key
  join invoice_items as item on item.invoice_id = opened.parent_invoice_id and item.child_account_id = child.id
    and item.type = 'PARENT_SUMMARY'
  left join relation.kb_draft as draft on draft.invoice_key = parent.record_id
),
-- Microseconds from the opening of the item. An item that opened later comes after all that were open.
fit as (
  select added.invoice_id, added.amount, added.made_at, summary.parent_invoice_id, summary.child_key,
    row_number() over (partition by added.invoice_id order by case when added.made_at >= summary.opened_at then 0 else 1 end,
      case when added.made_at >= summary.opened_at then fn.microseconds_between(summary.opened_at, added.made_at)
        else fn.microseconds_between(added.made_at, summary.opened_at) end, summary.parent_invoice_id) as place
  from added
  join summary on summary.child_key = added.child_key and added.made_at < summary.closes_at
    and (added.made_at >= summary.opened_at
      or (added.amount > 0 and cast(added.made_at as date) = cast(summary.opened_at as date)))
  where added.linked_to is null
),
entry as (
  select summary.parent_invoice_id, summary.child_key, 'summary' as kind, null as invoice_id, summary.amount, summary.opened_at as made_at
  from summary
  union all
  select fit.parent_invoice_id, fit.child_key, 'fitting', fit.invoice_id, -fit.amount, fit.made_at
  from fit
  where fit.place = 1
  union all
  select added.linked_to, added.child_key, 'linked', added.invoice_id, -added.amount, added.made_at
  from added
  where added.linked_to is not null
  union all
  select added.linked_to, added.child_key, 'adjustment', added.invoice_id, -adjustment.amount, adjustment.created_date
  from added
  join summary on summary.parent_invoice_id = added.linked_to and summary.child_key = added.child_key
  join invoice_items as adjustment on adjustment.invoice_id = added.invoice_id and adjustment.type = 'ITEM_ADJ'
    and adjustment.created_date > added.made_at and adjustment.created_date < summary.closes_at and adjustment.created_date <= :now
)
select entry.parent_invoice_id, entry.child_key, entry.kind, entry.invoice_id, entry.amount, entry.made_at,
  sum(entry.amount) over (partition by entry.parent_invoice_id, entry.child_key) as open_amount
from entry
