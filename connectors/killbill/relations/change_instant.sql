-- relation: change_instant
-- reads:    kb_account, kb_arrival, kb_ledger_instant, kb_parent_invoice, kb_payment, kb_rectangle, kb_state, kb_term_instant
-- param:    tenants integers
-- param:    now timestamp
-- The last instant up to now, and the first one after it, at which rules about now change rows of an account (D2). Rules compare now
-- with events, blocks, prices, ends of fixed terms, invoices, and the items, payments, history and write-offs of invoices. They also compare it
-- with arrivals of bundles that the account gave away. For a child's invoice, the rows of the parent's invoice count, too (KB 8.5).
-- Other dates of the catalog are compared with events only. Some of these instants change nothing. Test accounts are included.
with reach as (
  select invoice.id as invoice_id, invoice.account_record_id as customer_key
  from invoices as invoice
  where invoice.tenant_record_id in (:tenants)
  union all
  select link.parent_invoice_id, link.child_key
  from relation.kb_parent_invoice as link
),
lived as (
  select distinct state.customer_key, state.phase_code, state.plan_set_at
  from relation.kb_state as state
),
-- The key is made before the join to the prices: DuckDB would join them by time first, and compare keys of millions of pairs.
priced as (
  select lived.customer_key, lived.plan_set_at,
    concat(fn.text(account.tenant_key), ' ', coalesce(account.currency, ''), ' ', fn.text(lived.phase_code)) as price_key
  from lived
  join relation.kb_account as account on account.customer_key = lived.customer_key
),
instant as (
  select subscription.account_record_id as customer_key, event.effective_date as changes_at
  from subscription_events as event
  join subscriptions as subscription on subscription.id = event.subscription_id
  where event.tenant_record_id in (:tenants) and event.is_active = true
  union all
  select state.account_record_id, state.effective_date
  from blocking_states as state
  where state.tenant_record_id in (:tenants) and state.is_active = true
  union all
  select arrival.customer_key, arrival.arrived_at
  from relation.kb_arrival as arrival
  union all
  select reach.customer_key, invoice.created_date
  from reach
  join invoices as invoice on invoice.id = reach.invoice_id
  union all
  select reach.customer_key, history.created_date
  from reach
  join invoices as invoice on invoice.id = reach.invoice_id
  join invoice_history as history on history.target_record_id = invoice.record_id
  union all
  select reach.customer_key, item.created_date
  from reach
  join invoice_items as item on item.invoice_id = reach.invoice_id
  union all
  select reach.customer_key, payment.payment_date
  from reach
  join relation.kb_payment as payment on payment.invoice_id = reach.invoice_id
  union all
  select reach.customer_key, entry.changes_at
  from reach
  join relation.kb_ledger_instant as entry on entry.invoice_id = reach.invoice_id
  union all
  select priced.customer_key, price.from_at
  from priced
  join relation.kb_rectangle as price
    on price.price_key = priced.price_key and priced.plan_set_at >= price.entered_from and priced.plan_set_at < price.entered_to
  union all
  select term.customer_key, term.term_ends_at
  from relation.kb_term_instant as term
),
nearest as (
  select instant.customer_key, max(case when instant.changes_at <= :now then instant.changes_at end) as last_at,
    min(case when instant.changes_at > :now then instant.changes_at end) as next_at
  from instant
  group by instant.customer_key
)
select nearest.customer_key, case when side.is_next = 1 then nearest.next_at else nearest.last_at end as changes_at
from nearest
cross join (select 0 as is_next union all select 1) as side
where case when side.is_next = 1 then nearest.next_at else nearest.last_at end is not null
