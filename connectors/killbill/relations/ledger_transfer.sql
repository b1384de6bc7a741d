-- relation: ledger_transfer
-- reads:    kb_ledger_invoice, kb_ledger_item, kb_ledger_payment, kb_account
-- needs:    invoice_parent_children
-- param:    tenants integers
-- param:    now timestamp
-- Receivables that move from a child to its parent on the day of the parent's invoice (R16). The invoices of a child have an order: that of the
-- first summary after the issue, then those that the engine links, then the oldest. Summaries take what was open in this order. A rest has no
-- invoice. A summary of an account that does not count comes from nobody. An adjustment of a summary gives back what a linked invoice lost (KB 8.7).
-- MariaDB reads a list again for each of its names, so each has few.
with summary as (
  select item.item_key, item.item_id, item.invoice_id as parent_invoice_id, item.customer_key as parent_key, item.currency, item.amount_cents, item.posted_on,
    child.record_id as child_key, case when counted.customer_key is null then 0 else 1 end as is_counted,
    sum(item.amount_cents) over (partition by child.record_id order by item.posted_on, item.item_key rows unbounded preceding) as through_cents
  from relation.kb_ledger_item as item
  join accounts as child on child.id = item.child_account_id
  left join relation.kb_account as counted on counted.customer_key = child.record_id
  where item.type = 'PARENT_SUMMARY' and item.gone_on is null
),
entry as (
  select item.invoice_id, case side.step when 0 then item.posted_on else item.gone_on end as posted_on,
    case side.step when 0 then item.amount_cents else -item.amount_cents end as amount_cents
  from relation.kb_ledger_item as item
  cross join (select 0 as step union all select 1) as side
  where side.step = 0 or item.gone_on is not null
  union all
  select invoice.invoice_id, cast(fn.add_seconds(payment.paid_at, invoice.utc_offset_seconds) as date),
    -fn.integer(round(100 * payment.amount, 0))
  from relation.kb_ledger_payment as payment
  join relation.kb_ledger_invoice as invoice on invoice.invoice_id = payment.invoice_id
  where payment.paid_at <= :now
),
linked as (
  select link.child_invoice_id, max(link.parent_invoice_id) as parent_invoice_id
  from invoice_parent_children as link
  where link.tenant_record_id in (:tenants)
  group by link.child_invoice_id
),
due as (
  select invoice.invoice_id, invoice.customer_key as child_key, invoice.issued_on, min(summary.posted_on) as taken_on,
    max(case when linked.parent_invoice_id = summary.parent_invoice_id then 1 else 0 end) as is_linked
  from summary
  join relation.kb_ledger_invoice as invoice on invoice.customer_key = summary.child_key and invoice.is_parent = 0
    and invoice.issued_on <= summary.posted_on
  left join linked on linked.child_invoice_id = invoice.invoice_id
  where summary.is_counted = 1
  group by invoice.invoice_id, invoice.customer_key, invoice.issued_on
),
capacity as (
  select due.invoice_id, due.child_key, due.issued_on, due.taken_on, due.is_linked, fn.integer(sum(entry.amount_cents)) as open_cents
  from due
  join entry on entry.invoice_id = due.invoice_id and entry.posted_on <= due.taken_on
  group by due.invoice_id, due.child_key, due.issued_on, due.taken_on, due.is_linked
),
line as (
  select capacity.invoice_id, capacity.child_key, capacity.issued_on, capacity.open_cents, sum(capacity.open_cents) over (
    partition by capacity.child_key order by capacity.taken_on, capacity.is_linked desc, capacity.issued_on, capacity.invoice_id
    rows unbounded preceding) as through_cents
  from capacity
  where capacity.open_cents > 0
),
met as (
  select summary.item_key, summary.child_key, line.invoice_id, summary.currency, summary.posted_on,
    case when summary.through_cents < line.through_cents then summary.through_cents else line.through_cents end
      - case when summary.through_cents - summary.amount_cents > line.through_cents - line.open_cents
        then summary.through_cents - summary.amount_cents else line.through_cents - line.open_cents end as amount_cents
  from summary
  join line on line.child_key = summary.child_key and line.issued_on <= summary.posted_on
    and line.through_cents > summary.through_cents - summary.amount_cents and line.through_cents - line.open_cents < summary.through_cents
  where summary.is_counted = 1
),
side as (
  select met.item_key, met.child_key as customer_key, case part.step when 0 then met.invoice_id end as invoice_id, met.currency,
    case part.step when 0 then -met.amount_cents else met.amount_cents end as amount_cents, met.posted_on, 'child' as kind
  from met
  cross join (select 0 as step union all select 1) as part
  union all
  select summary.item_key, case part.step when 0 then summary.child_key else summary.parent_key end,
    case part.step when 1 then summary.parent_invoice_id end, summary.currency,
    case part.step when 0 then -summary.amount_cents else summary.amount_cents end, summary.posted_on,
    case when part.step = 0 then 'child' when summary.is_counted = 1 then 'parent' else 'suspense' end
  from summary
  cross join (select 0 as step union all select 1) as part
  where part.step = 1 or summary.is_counted = 1
  union all
  select item.item_key, case part.step when 0 then summary.child_key else summary.parent_key end,
    case part.step when 0 then given.invoice_id else item.invoice_id end, item.currency,
    case part.step when 0 then -item.amount_cents else item.amount_cents end, item.posted_on,
    case when part.step = 0 then 'child' when summary.is_counted = 1 then 'parent' else 'suspense' end
  from relation.kb_ledger_item as item
  join summary on summary.item_id = item.linked_item_id
  left join (
    select link.parent_invoice_id, invoice.account_record_id as child_key, min(link.child_invoice_id) as invoice_id
    from invoice_parent_children as link
    join invoices as invoice on invoice.id = link.child_invoice_id
    where link.tenant_record_id in (:tenants) and invoice.tenant_record_id in (:tenants)
    group by link.parent_invoice_id, invoice.account_record_id
  ) as given on given.parent_invoice_id = summary.parent_invoice_id and given.child_key = summary.child_key
  cross join (select 0 as step union all select 1) as part
  where item.type in ('ITEM_ADJ', 'REPAIR_ADJ') and (part.step = 1 or summary.is_counted = 1)
)
select side.customer_key, fn.text(side.item_key) as transfer_id, side.invoice_id, side.kind, side.currency,
  fn.integer(sum(side.amount_cents)) as amount_cents, side.posted_on
from side
group by side.customer_key, side.item_key, side.invoice_id, side.kind, side.currency, side.posted_on
having sum(side.amount_cents) <> 0
