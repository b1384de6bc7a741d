-- relation: billing_run
-- reads:    billing_part, customer_zone
-- param:    first_day integer
-- param:    end_day integer
-- param:    is_up_to_now integer
-- param:    now timestamp
-- Runs of days [from_day, to_day) of a subscription with the same amounts and the same class (H1 to H3), within [:first_day, :end_day). Days are
-- numbers of days since 1970-01-01, local to the account. A part adds its values on its first day, and takes them away on the day after its last
-- day. Sums over the days then give the values of each day. A run is open if it reaches yesterday.
with edge as (
  select part.*, side.sign,
    case when side.sign = -1 then part.to_day when part.from_day < :first_day then :first_day else part.from_day end as edge_day
  from relation.billing_part as part
  cross join (select 1 as sign union all select -1) as side
  where part.from_day < part.to_day and part.from_day < :end_day and part.to_day > :first_day
    and (side.sign = 1 or part.to_day < :end_day)
),
change_of_day as (
  select edge.customer_key, edge.subscription_id, edge.edge_day, fn.integer(sum(edge.sign * edge.spans)) as spans,
    fn.integer(sum(edge.sign * edge.agreed)) as agreed, fn.integer(sum(edge.sign * edge.quantity)) as quantity, fn.integer(sum(edge.sign * edge.unpriced)) as unpriced,
    fn.integer(sum(edge.sign * edge.agreed_before)) as agreed_before, fn.integer(sum(edge.sign * edge.items)) as items, fn.integer(sum(edge.sign * edge.billed)) as billed,
    fn.integer(sum(edge.sign * edge.billed_quantity)) as billed_quantity,
    fn.integer(sum(edge.sign * edge.old_drafts)) as old_drafts, fn.integer(sum(edge.sign * edge.failures)) as failures, fn.integer(sum(edge.sign * edge.parked)) as parked,
    fn.integer(sum(edge.sign * edge.overdue)) as overdue, fn.integer(sum(edge.sign * edge.switched_off)) as switched_off, fn.integer(sum(edge.sign * edge.reverted)) as reverted,
    fn.integer(sum(edge.sign * edge.transferred)) as transferred, fn.integer(sum(edge.sign * edge.price_number)) as price_number,
    fn.integer(sum(edge.sign * edge.reverted_from)) as reverted_from, fn.integer(sum(edge.sign * edge.not_due)) as not_due
  from edge
  group by edge.customer_key, edge.subscription_id, edge.edge_day
),
day_run as (
  select changed.customer_key, changed.subscription_id, changed.edge_day as from_day,
    coalesce(lead(changed.edge_day) over w, :end_day) as to_day,
    sum(changed.spans) over w as spans, sum(changed.agreed) over w as agreed, sum(changed.quantity) over w as quantity,
    sum(changed.unpriced) over w as unpriced, sum(changed.agreed_before) over w as agreed_before, sum(changed.items) over w as items,
    sum(changed.billed) over w as billed, sum(changed.billed_quantity) over w as billed_quantity,
    sum(changed.old_drafts) over w as old_drafts,
    sum(changed.failures) over w as failures, sum(changed.parked) over w as parked, sum(changed.overdue) over w as overdue, sum(changed.switched_off) over w as switched_off,
    sum(changed.reverted) over w as reverted, sum(changed.transferred) over w as transferred, sum(changed.price_number) over w as price_number,
    sum(changed.reverted_from) over w as reverted_from, sum(changed.not_due) over w as not_due
  from change_of_day as changed
  where changed.spans <> 0 or changed.agreed <> 0 or changed.quantity <> 0 or changed.unpriced <> 0 or changed.agreed_before <> 0
    or changed.items <> 0 or changed.billed <> 0 or changed.billed_quantity <> 0
    or changed.old_drafts <> 0 or changed.failures <> 0 or changed.parked <> 0 or changed.overdue <> 0 or changed.switched_off <> 0 or changed.reverted <> 0
    or changed.transferred <> 0 or changed.price_number <> 0 or changed.reverted_from <> 0 or changed.not_due <> 0
  window w as (partition by changed.subscription_id order by changed.edge_day)
),
classified as (
  select day_run.*,
    case
      when day_run.unpriced > 0 then 'unpriced'
      when day_run.items > 1 then 'double_billed'
      when day_run.agreed = day_run.billed then case when day_run.old_drafts > 0 then 'stuck_draft' else 'healthy' end
      when day_run.items = 0 and day_run.not_due > 0 then 'not_due'
      when day_run.failures > 0 then 'invoicing_failed'
      when day_run.parked > 0 then 'account_parked'
      when day_run.overdue > 0 and day_run.agreed = 0 then 'overdue_block'
      when day_run.switched_off > 0 then 'invoicing_off'
      when day_run.transferred > 0 and day_run.spans = 0 then 'transferred'
      when day_run.billed > 0 and day_run.billed = day_run.reverted then 'quantity_reverted'
      when day_run.billed > 0 and day_run.billed = day_run.agreed_before then 'price_change_lost'
      when day_run.items = 0 then 'not_billed'
      when day_run.spans = 0 then 'billed_after_end'
      when day_run.agreed > 0 and day_run.billed_quantity = day_run.quantity then 'price_differs'
      when day_run.agreed > 0 and day_run.billed_quantity > 0 then 'quantity_differs'
      else 'other' end as class
  from day_run
  where day_run.spans > 0 or day_run.items > 0
)
select fact.customer_key, fact.subscription_id, fact.class, fact.from_day, fact.to_day, fn.integer(fact.agreed) as agreed,
  fn.integer(fact.billed) as billed, fn.integer(fact.quantity) as quantity, fn.integer(fact.billed_quantity) as billed_quantity,
  fn.integer(case when fact.class = 'quantity_reverted' then fact.reverted_from else fact.price_number end) as price_number,
  case when :is_up_to_now = 1 and (fact.to_day >= :end_day
    or fact.to_day >= fn.day_number(fn.add_seconds(:now, coalesce(zone.utc_offset_seconds, 0)))) then 1 else 0 end as is_open
from classified as fact
left join relation.customer_zone as zone on zone.customer_key = fact.customer_key
