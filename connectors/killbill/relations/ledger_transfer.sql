-- relation: ledger_transfer
-- reads:    kb_ledger_invoice, kb_ledger_item, kb_ledger_payment, kb_account
-- needs:    invoice_parent_children
-- param:    tenants integers
-- param:    now timestamp
-- Receivables that move from a child to its parent on the day of the parent's invoice (R16). A summary takes first what is open on the invoices of the
-- child that the engine links, then what is open on its other invoices, oldest first. A rest has no invoice. A summary of an account that does not count
-- comes from nobody.
with summary as (
  select item.item_key, item.invoice_id as parent_invoice_id, item.customer_key as parent_key, item.currency, item.amount_cents, item.posted_on,
    child.record_id as child_key, case when counted.customer_key is null then 0 else 1 end as is_counted
  from relation.kb_ledger_item as item
  join accounts as child on child.id = item.child_account_id
  left join relation.kb_account as counted on counted.customer_key = child.record_id
  where item.type = 'PARENT_SUMMARY' and item.gone_on is null
),
entry as (
  select item.invoice_id, item.posted_on, item.amount_cents
  from relation.kb_ledger_item as item
  union all
  select item.invoice_id, item.gone_on, -item.amount_cents
  from relation.kb_ledger_item as item
  where item.gone_on is not null
  union all
  select invoice.invoice_id, cast(fn.add_seconds(payment.paid_at, invoice.utc_offset_seconds) as date),
    -fn.integer(round(100 * payment.amount, 0))
  from relation.kb_ledger_payment as payment
  join relation.kb_ledger_invoice as invoice on invoice.invoice_id = payment.invoice_id
  where payment.paid_at <= :now
),
link as (
  select summary.item_key, link.child_invoice_id
  from summary
  join invoice_parent_children as link on link.parent_invoice_id = summary.parent_invoice_id
  join invoices as child on child.id = link.child_invoice_id and child.account_record_id = summary.child_key
  where link.tenant_record_id in (:tenants)
),
linked as (
  select summary.item_key, link.child_invoice_id as invoice_id, max(summary.amount_cents) as wanted_cents,
    fn.integer(sum(entry.amount_cents)) as open_cents
  from summary
  join link as link on link.item_key = summary.item_key
  join entry on entry.invoice_id = link.child_invoice_id and entry.posted_on <= summary.posted_on
  group by summary.item_key, link.child_invoice_id
),
taken as (
  select linked.item_key, linked.invoice_id,
    case when linked.open_cents < 0 then 0 when linked.open_cents > linked.wanted_cents then linked.wanted_cents else linked.open_cents end
      as amount_cents
  from linked
),
rest as (
  select summary.item_key, summary.child_key, summary.posted_on, summary.amount_cents - coalesce(taken.amount_cents, 0) as amount_cents,
    sum(summary.amount_cents - coalesce(taken.amount_cents, 0)) over (partition by summary.child_key order by summary.posted_on, summary.item_key
      rows unbounded preceding) as through_cents
  from summary
  left join (select taken.item_key, sum(taken.amount_cents) as amount_cents from taken group by taken.item_key) as taken
    on taken.item_key = summary.item_key
  where summary.is_counted = 1
),
open_invoice as (
  select invoice.invoice_id, invoice.customer_key as child_key, invoice.issued_on, min(rest.posted_on) as taken_on
  from rest
  join relation.kb_ledger_invoice as invoice on invoice.customer_key = rest.child_key and invoice.is_parent = 0
    and invoice.issued_on <= rest.posted_on
  where invoice.invoice_id not in (select link.child_invoice_id from link)
  group by invoice.invoice_id, invoice.customer_key, invoice.issued_on
),
capacity as (
  select open_invoice.invoice_id, open_invoice.child_key, open_invoice.issued_on, fn.integer(sum(entry.amount_cents)) as open_cents
  from open_invoice
  join entry on entry.invoice_id = open_invoice.invoice_id and entry.posted_on <= open_invoice.taken_on
  group by open_invoice.invoice_id, open_invoice.child_key, open_invoice.issued_on
),
lined as (
  select capacity.*, sum(capacity.open_cents) over (partition by capacity.child_key order by capacity.issued_on, capacity.invoice_id
    rows unbounded preceding) as through_cents
  from capacity
  where capacity.open_cents > 0
),
met as (
  select rest.item_key, lined.invoice_id,
    case when rest.through_cents < lined.through_cents then rest.through_cents else lined.through_cents end
      - case when rest.through_cents - rest.amount_cents > lined.through_cents - lined.open_cents then rest.through_cents - rest.amount_cents
        else lined.through_cents - lined.open_cents end as amount_cents
  from rest
  join lined on lined.child_key = rest.child_key and lined.issued_on <= rest.posted_on
    and lined.through_cents > rest.through_cents - rest.amount_cents and lined.through_cents - lined.open_cents < rest.through_cents
),
moved as (
  select taken.item_key, taken.invoice_id, taken.amount_cents from taken
  union all
  select met.item_key, met.invoice_id, met.amount_cents from met
),
side as (
  select summary.item_key, summary.child_key as customer_key, moved.invoice_id, summary.currency, -moved.amount_cents as amount_cents,
    summary.posted_on, 'child' as kind
  from moved
  join summary on summary.item_key = moved.item_key
  where summary.is_counted = 1
  union all
  select summary.item_key, summary.child_key, null, summary.currency, -(summary.amount_cents - coalesce(moved.amount_cents, 0)), summary.posted_on,
    'child'
  from summary
  left join (select moved.item_key, sum(moved.amount_cents) as amount_cents from moved group by moved.item_key) as moved
    on moved.item_key = summary.item_key
  where summary.is_counted = 1
  union all
  select summary.item_key, summary.parent_key, summary.parent_invoice_id, summary.currency, summary.amount_cents, summary.posted_on,
    case summary.is_counted when 1 then 'parent' else 'suspense' end
  from summary
)
select side.customer_key, fn.text(side.item_key) as transfer_id, side.invoice_id, side.kind, side.currency,
  fn.integer(side.amount_cents) as amount_cents, side.posted_on
from side
where side.amount_cents <> 0
