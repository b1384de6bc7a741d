-- relation: kb_paid_invoice
-- reads:    kb_payment
-- param:    tenants integers
-- param:    now timestamp
-- param:    usage_invoices_only boolean
-- Invoices of D52 with the instant at which they were settled (D53, KB 8.5); unsettled ones are absent. A child invoice
-- takes the instant of the parent invoice that pays it.
with target as (
  select invoice.id as invoice_id, invoice.account_record_id as customer_key, invoice.currency,
    coalesce(link.parent_invoice_id, invoice.id) as payer_id
  from invoices as invoice
  left join invoice_parent_children as link on link.child_invoice_id = invoice.id
  where invoice.tenant_record_id in (:tenants) and invoice.status = 'COMMITTED' and invoice.created_date <= :now
    and coalesce(invoice.migrated, false) = false and coalesce(invoice.parent_invoice, false) = false
    and (:usage_invoices_only = false or invoice.id in (
      select item.invoice_id
      from invoice_items as item
      where item.tenant_record_id in (:tenants) and item.type = 'USAGE'
    ))
),
former_draft as (
  select committed.target_record_id, min(committed.created_date) as committed_at
  from invoice_history as draft
  join invoice_history as committed on committed.target_record_id = draft.target_record_id and committed.status = 'COMMITTED'
  where draft.tenant_record_id in (:tenants) and draft.status = 'DRAFT'
  group by committed.target_record_id
),
payer as (
  select distinct invoice.id as payer_id, coalesce(former_draft.committed_at, invoice.created_date) as committed_at,
    case
      when invoice.currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF',
        'XOF', 'XPF') then 0
      when invoice.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
      else 2
    end as decimals
  from target
  join invoices as invoice on invoice.id = target.payer_id and invoice.status = 'COMMITTED'
    and coalesce(invoice.migrated, false) = false
  left join former_draft on former_draft.target_record_id = invoice.record_id
),
delta as (
  select payer.payer_id, payer.committed_at, payer.decimals, payer.committed_at as delta_at, 0 as amount
  from payer
  union all
  select payer.payer_id, payer.committed_at, payer.decimals, item.created_date, item.amount
  from payer
  join invoice_items as item on item.invoice_id = payer.payer_id and item.created_date <= :now
  union all
  select payer.payer_id, payer.committed_at, payer.decimals, payment.payment_date, -payment.amount
  from payer
  join relation.kb_payment as payment on payment.invoice_id = payer.payer_id and payment.payment_date <= :now
),
balance as (
  select delta.payer_id, delta.committed_at, delta.decimals, delta.delta_at,
    sum(delta.amount) over (partition by delta.payer_id order by delta.delta_at) as open_amount
  from delta
),
settled as (
  select balance.payer_id, min(balance.delta_at) as paid_at
  from balance
  where balance.delta_at >= balance.committed_at and balance.delta_at <= :now and round(balance.open_amount, balance.decimals) <= 0
  group by balance.payer_id
)
select target.invoice_id, target.customer_key, target.currency, settled.paid_at
from target
join settled on settled.payer_id = target.payer_id
left join tags as written_off on written_off.object_id = target.payer_id and written_off.object_type = 'INVOICE'
  and written_off.tag_definition_id = '00000000-0000-0000-0000-000000000004' and written_off.is_active = true
  and written_off.created_date < settled.paid_at
where written_off.object_id is null
