-- relation: billed_stretch
-- reads:    kb_recurring_item
-- param:    tenants integers
-- param:    now timestamp
-- Charges of the engine for the days of subscriptions. Days that a repair covers are cut out of its item (KB 8.2). The amount of an
-- item that is cut into pieces is divided by days, and the last piece has the rest.
with repair as (
  select item.item_key,
    case when adjustment.start_date < item.start_date then item.start_date else adjustment.start_date end as starts_on,
    case when adjustment.end_date > item.end_date then item.end_date else adjustment.end_date end as ends_on
  from relation.kb_recurring_item as item
  join invoice_items as adjustment on adjustment.linked_item_id = item.item_id
  join invoices as invoice on invoice.id = adjustment.invoice_id
  where item.is_repaired = 1 and adjustment.tenant_record_id in (:tenants) and adjustment.type = 'REPAIR_ADJ'
    and adjustment.created_date <= :now and invoice.status <> 'VOID'
    and adjustment.start_date < item.end_date and adjustment.end_date > item.start_date
),
bound as (
  select item.item_key, item.start_date as edge_on, 0 as step from relation.kb_recurring_item as item where item.is_repaired = 1
  union all
  select item.item_key, item.end_date, 0 from relation.kb_recurring_item as item where item.is_repaired = 1
  union all
  select repair.item_key, repair.starts_on, 1 from repair
  union all
  select repair.item_key, repair.ends_on, -1 from repair
),
edge as (
  select bound.item_key, bound.edge_on, sum(bound.step) as step
  from bound
  group by bound.item_key, bound.edge_on
),
piece as (
  select edge.item_key, edge.edge_on as starts_on, lead(edge.edge_on) over w as ends_on, sum(edge.step) over w as repairs
  from edge
  window w as (partition by edge.item_key order by edge.edge_on)
),
kept as (
  select piece.item_key, piece.starts_on, piece.ends_on,
    fn.int_div(fn.microseconds_between(fn.add_period(piece.starts_on, 0, 0), fn.add_period(piece.ends_on, 0, 0)), 86400000000) as days
  from piece
  where piece.repairs = 0 and piece.ends_on is not null
),
shared as (
  select kept.*, fn.integer(sum(kept.days) over (partition by kept.item_key)) as all_days,
    fn.integer(sum(kept.days) over (partition by kept.item_key order by kept.starts_on)) as days_so_far
  from kept
)
select item.customer_key, item.subscription_id, item.item_key, item.invoice_key, item.invoice_status, 'recurring' as kind,
  item.start_date as starts_on, item.end_date as ends_on, item.currency, item.amount_cents, item.monthly_cents, item.quantity,
  item.priced_on
from relation.kb_recurring_item as item
where item.is_repaired = 0
union all
select item.customer_key, item.subscription_id, item.item_key, item.invoice_key, item.invoice_status, 'recurring',
  part.starts_on, part.ends_on, item.currency,
  fn.int_div(item.amount_cents * part.days_so_far, part.all_days)
    - fn.int_div(item.amount_cents * (part.days_so_far - part.days), part.all_days),
  item.monthly_cents, item.quantity, item.priced_on
from shared as part
join relation.kb_recurring_item as item on item.item_key = part.item_key
