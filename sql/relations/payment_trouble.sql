-- relation: payment_trouble
-- reads:    overdue_stretch, ledger_attempt, ledger_entry, ledger_invoice, customer_zone
-- param:    net_terms integer
-- Stretches in which a customer does not pay (R28): it is in an overdue state, or an invoice is past due and its last attempt failed. An invoice is past due
-- if it was open at the end of the day before, and its due day has passed. Days are those of the customer. A write-off pays nothing. Stretches are cut
-- where one begins or ends, so that they never overlap.
with posted as (
  select entry.invoice_id, entry.posted_on, sum(entry.amount_cents) as amount_cents
  from relation.ledger_entry as entry
  where entry.invoice_id is not null and entry.term <> 'write_off'
  group by entry.invoice_id, entry.posted_on
),
balance as (
  select posted.invoice_id, posted.posted_on, lead(posted.posted_on) over w as next_on, sum(posted.amount_cents) over w as open_cents
  from posted
  window w as (partition by posted.invoice_id order by posted.posted_on)
),
open_invoice as (
  select balance.invoice_id, fn.day_number(balance.posted_on) + 1 as open_day, fn.day_number(balance.next_on) + 1 as closed_day
  from balance
  where balance.open_cents > 0
),
due as (
  select open_invoice.*, invoice.customer_key, 0 - coalesce(zone.utc_offset_seconds, 0) as behind_seconds,
    case when invoice.due_on is not null then fn.day_number(invoice.due_on) else fn.day_number(invoice.issued_on) + :net_terms end + 1 as due_day
  from open_invoice
  join relation.ledger_invoice as invoice on invoice.invoice_id = open_invoice.invoice_id
  left join relation.customer_zone as zone on zone.customer_key = invoice.customer_key
),
past_due as (
  select due.customer_key, due.invoice_id,
    fn.add_seconds(fn.add_period(date '1970-01-01', 0, case when due.due_day > due.open_day then due.due_day else due.open_day end), due.behind_seconds)
      as due_from,
    coalesce(fn.add_seconds(fn.add_period(date '1970-01-01', 0, due.closed_day), due.behind_seconds), timestamp '9999-12-30 00:00:00') as due_to
  from due
),
refused as (
  select attempt.invoice_id, attempt.outcome, attempt.attempted_at, lead(attempt.attempted_at) over (partition by attempt.invoice_id order by attempt.place)
    as next_at
  from relation.ledger_attempt as attempt
),
trouble as (
  select overdue.customer_key, 1 as is_overdue, overdue.valid_from, coalesce(overdue.valid_to, timestamp '9999-12-30 00:00:00') as valid_to
  from relation.overdue_stretch as overdue
  union all
  select past_due.customer_key, 0, case when refused.attempted_at > past_due.due_from then refused.attempted_at else past_due.due_from end,
    case when refused.next_at < past_due.due_to then refused.next_at else past_due.due_to end
  from past_due
  join refused on refused.invoice_id = past_due.invoice_id
  where refused.outcome = 'failure'
),
edge as (
  select trouble.customer_key, case side.step when 1 then trouble.valid_from else trouble.valid_to end as turned_at,
    sum(side.step * trouble.is_overdue) as overdue_step, sum(side.step * (1 - trouble.is_overdue)) as failed_step
  from trouble
  cross join (select 1 as step union all select -1) as side
  where trouble.valid_from < trouble.valid_to
  group by trouble.customer_key, case side.step when 1 then trouble.valid_from else trouble.valid_to end
),
piece as (
  select edge.customer_key, edge.turned_at as valid_from, lead(edge.turned_at) over w as valid_to, sum(edge.overdue_step) over w as overdue_count,
    sum(edge.failed_step) over w as failed_count
  from edge
  window w as (partition by edge.customer_key order by edge.turned_at)
)
select piece.customer_key, piece.valid_from, piece.valid_to, case when piece.overdue_count > 0 then 'overdue' else 'failed_payment' end as cause
from piece
where piece.valid_to is not null and (piece.overdue_count > 0 or piece.failed_count > 0)
