-- relation: kb_settlement
-- reads:    kb_ended, kb_parent_invoice, kb_payment
-- needs:    invoices
-- param:    tenants integers
-- param:    now timestamp
-- param:    usage_invoices_only boolean
-- param:    usage_of_ended boolean
-- Paid invoices that count (D52). Parent invoices do not count, because the invoices of their children do. The paying invoice of
-- a child is its parent's invoice. Every other invoice pays for itself. `paid_at` (D53, KB 8.5) is the first instant, not before
-- the commit, at which the items of the paying invoice minus its successful payments round to zero or less. Rows of one instant count
-- together. The window has numbers only, because a table with texts takes several times the memory. An amount below `unpaid_from`
-- rounds to zero or less. In the result, each child takes the place of its payer, and `counts` says whether that child counts. An invoice
-- without children counts unless it is a parent. A child's own settlement does not count. Without :usage_of_ended, the usage of the subscriptions of
-- kb_ended is left out: it moves no MRR in the window.
with former_draft as (
  select committed.target_record_id, min(committed.created_date) as committed_at
  from invoice_history as draft
  join invoice_history as committed on committed.target_record_id = draft.target_record_id and committed.status = 'COMMITTED'
  where draft.tenant_record_id in (:tenants) and draft.status = 'DRAFT'
  group by committed.target_record_id
),
payer as (
  select invoice.id as invoice_id, invoice.record_id as invoice_key, coalesce(former_draft.committed_at, invoice.created_date) as committed_at,
    case
      when invoice.currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF',
        'XOF', 'XPF') then 0.5
      when invoice.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 0.0005
      else 0.005
    end as unpaid_from
  from invoices as invoice
  left join former_draft on former_draft.target_record_id = invoice.record_id
  where invoice.tenant_record_id in (:tenants) and invoice.status = 'COMMITTED' and invoice.created_date <= :now
    and coalesce(invoice.migrated, false) = false
    and (:usage_invoices_only = false or invoice.parent_invoice = true or invoice.id in (
      select usage_item.invoice_id
      from invoice_items as usage_item
      where usage_item.tenant_record_id in (:tenants) and usage_item.type = 'USAGE'
        and (:usage_of_ended = true
          or usage_item.subscription_id not in (select ended.subscription_id from relation.kb_ended as ended))
    ))
),
ledger as (
  select payer.invoice_key, payer.committed_at, payer.unpaid_from,
    case entry.kind when 'item' then item.created_date when 'payment' then payment.payment_date else payer.committed_at end as entered_at,
    case entry.kind when 'item' then item.amount when 'payment' then -payment.amount else 0 end as amount
  from payer
  cross join (select 'commit' as kind union all select 'item' union all select 'payment') as entry
  left join invoice_items as item on item.invoice_id = case when entry.kind = 'item' then payer.invoice_id end
    and item.created_date <= :now
  left join relation.kb_payment as payment on payment.invoice_id = case when entry.kind = 'payment' then payer.invoice_id end
    and payment.payment_date <= :now
  where entry.kind = 'commit' or item.id is not null or payment.invoice_id is not null
),
balance as (
  select ledger.*, sum(ledger.amount) over (partition by ledger.invoice_key order by ledger.entered_at) as open_amount
  from ledger
),
settled as (
  select paying.id as invoice_id, paying.account_record_id as customer_key, paying.currency,
    case when paying.parent_invoice = true then 1 else 0 end as is_parent, balanced.paid_at
  from (
    select balance.invoice_key, min(balance.entered_at) as paid_at
    from balance
    -- NaN is more than every amount, so an invoice with it would never be paid. As an integer it is refused.
    where balance.entered_at >= balance.committed_at
      and balance.open_amount < balance.unpaid_from + fn.integer(0 * balance.open_amount)
    group by balance.invoice_key
  ) as balanced
  join invoices as paying on paying.record_id = balanced.invoice_key
)
select coalesce(child.child_invoice_id, settled.invoice_id) as invoice_id, coalesce(child.customer_key, settled.customer_key) as customer_key,
  coalesce(child.currency, settled.currency) as currency, settled.paid_at
from settled
left join (
  -- Each payer with the invoices of its children, and each of these with itself. The relation is read once, and not in the list above, because
  -- MariaDB and MySQL lose it otherwise.
  select case side.kind when 'payer' then link.parent_invoice_id else link.child_invoice_id end as invoice_id, link.child_invoice_id,
    invoice.account_record_id as customer_key, invoice.currency,
    case when side.kind = 'payer' and invoice.status = 'COMMITTED' and coalesce(invoice.migrated, false) = false
      and coalesce(invoice.parent_invoice, false) = false then 1 else 0 end as counts
  from relation.kb_parent_invoice as link
  cross join (select 'payer' as kind union all select 'payee') as side
  join invoices as invoice on invoice.id = link.child_invoice_id
) as child on child.invoice_id = settled.invoice_id
left join tags as written_off on written_off.object_id = settled.invoice_id and written_off.object_type = 'INVOICE'
  and written_off.tag_definition_id = '00000000-0000-0000-0000-000000000004' and written_off.is_active = true
  and written_off.created_date < settled.paid_at
where settled.paid_at <= :now and written_off.object_id is null
  -- MariaDB computes child.counts for an invoice without a child, too, so a column says whether there is one.
  and case when child.customer_key is null then 1 - settled.is_parent else child.counts end = 1
