-- relation: kb_settlement
-- reads:    kb_payment
-- param:    tenants integers
-- param:    now timestamp
-- param:    usage_invoices_only boolean
-- Paid invoices that count (D52): not parent invoices, which stand for their children's. `paid_at` (D53, KB 8.5) is the first
-- instant, not before the commit, at which items minus successful payments of the paying invoice (the parent of a child, else
-- itself) are not above 0. Rows of one instant count together.
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
        'XOF', 'XPF') then 0
      when invoice.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
      else 2
    end as decimals
  from invoices as invoice
  left join former_draft on former_draft.target_record_id = invoice.record_id
  where invoice.tenant_record_id in (:tenants) and invoice.status = 'COMMITTED' and invoice.created_date <= :now
    and coalesce(invoice.migrated, false) = false
    and invoice.id not in (select link.child_invoice_id from invoice_parent_children as link)
    and (:usage_invoices_only = false or invoice.parent_invoice = true or invoice.id in (
      select usage_item.invoice_id
      from invoice_items as usage_item
      where usage_item.tenant_record_id in (:tenants) and usage_item.type = 'USAGE'
    ))
),
ledger as (
  select payer.invoice_id, payer.invoice_key, payer.committed_at, payer.decimals,
    case entry.kind when 'item' then item.created_date when 'payment' then payment.payment_date else payer.committed_at end as entered_at,
    case entry.kind when 'item' then item.amount when 'payment' then -payment.amount else 0 end as amount
  from payer
  cross join (select 'commit' as kind union all select 'item' union all select 'payment') as entry
  left join invoice_items as item on item.invoice_id = payer.invoice_id and entry.kind = 'item' and item.created_date <= :now
  left join relation.kb_payment as payment on payment.invoice_id = payer.invoice_id and entry.kind = 'payment'
    and payment.payment_date <= :now
  where entry.kind = 'commit' or item.id is not null or payment.invoice_id is not null
),
instant as (
  select ledger.invoice_key, ledger.invoice_id, ledger.committed_at, ledger.decimals, ledger.entered_at, sum(ledger.amount) as amount
  from ledger
  group by ledger.invoice_key, ledger.invoice_id, ledger.committed_at, ledger.decimals, ledger.entered_at
),
balance as (
  select instant.invoice_key, instant.invoice_id, instant.committed_at, instant.decimals, instant.entered_at,
    sum(instant.amount) over (partition by instant.invoice_key order by instant.entered_at) as open_amount
  from instant
),
settled as (
  select balance.invoice_id, min(balance.entered_at) as paid_at
  from balance
  where balance.entered_at >= balance.committed_at and round(balance.open_amount, balance.decimals) <= 0
  group by balance.invoice_id
)
select invoice.id as invoice_id, invoice.account_record_id as customer_key, invoice.currency, settled.paid_at
from settled
left join invoice_parent_children as link on link.parent_invoice_id = settled.invoice_id
join invoices as invoice on invoice.id = coalesce(link.child_invoice_id, settled.invoice_id)
left join tags as written_off on written_off.object_id = settled.invoice_id and written_off.object_type = 'INVOICE'
  and written_off.tag_definition_id = '00000000-0000-0000-0000-000000000004' and written_off.is_active = true
  and written_off.created_date < settled.paid_at
where settled.paid_at <= :now and written_off.object_id is null and invoice.status = 'COMMITTED'
  and coalesce(invoice.migrated, false) = false and coalesce(invoice.parent_invoice, false) = false
