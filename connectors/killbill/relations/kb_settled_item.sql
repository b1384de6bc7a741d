-- relation: kb_settled_item
-- reads:    kb_payment
-- param:    tenants integers
-- param:    now timestamp
-- param:    usage_invoices_only boolean
-- Items of paid invoices (D52) with the instant at which the invoice was settled (D53, KB 8.5). One ledger per paying invoice
-- (the parent of a child invoice, else itself): items add, successful payments take away, rows of one instant count together;
-- items of a child ride along with amount 0.
with candidate as (
  select invoice.id as invoice_id, invoice.record_id, invoice.account_record_id as customer_key, invoice.currency, invoice.created_date,
    coalesce(link.parent_invoice_id, invoice.id) as payer_id, case when link.parent_invoice_id is null then 1 else 0 end as is_payer,
    case when invoice.parent_invoice = true then 0 else 1 end as is_counted,
    case
      when invoice.currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF',
        'XOF', 'XPF') then 0
      when invoice.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
      else 2
    end as decimals
  from invoices as invoice
  left join invoice_parent_children as link on link.child_invoice_id = invoice.id
  where invoice.tenant_record_id in (:tenants) and invoice.status = 'COMMITTED' and invoice.created_date <= :now
    and coalesce(invoice.migrated, false) = false
    and (:usage_invoices_only = false or invoice.parent_invoice = true or invoice.id in (
      select usage_item.invoice_id
      from invoice_items as usage_item
      where usage_item.tenant_record_id in (:tenants) and usage_item.type = 'USAGE'
    ))
),
former_draft as (
  select committed.target_record_id, min(committed.created_date) as committed_at
  from invoice_history as draft
  join invoice_history as committed on committed.target_record_id = draft.target_record_id and committed.status = 'COMMITTED'
  where draft.tenant_record_id in (:tenants) and draft.status = 'DRAFT'
  group by committed.target_record_id
),
ledger as (
  select candidate.payer_id, candidate.invoice_id, candidate.customer_key, candidate.currency, candidate.decimals, candidate.is_counted,
    item.record_id as item_record_id, item.id as item_id, item.type, item.subscription_id, item.phase_name, item.start_date,
    item.end_date, item.created_date as item_created_at, item.amount as item_amount,
    case when candidate.is_payer = 1 and entry.kind = 'commit' then coalesce(former_draft.committed_at, candidate.created_date)
    end as committed_at,
    case entry.kind when 'item' then item.created_date when 'payment' then payment.payment_date
      else coalesce(former_draft.committed_at, candidate.created_date) end as entered_at,
    case when candidate.is_payer = 0 then 0 when entry.kind = 'item' then item.amount when entry.kind = 'payment' then -payment.amount
      else 0 end as amount
  from candidate
  cross join (select 'commit' as kind union all select 'item' union all select 'payment') as entry
  left join former_draft on former_draft.target_record_id = candidate.record_id
  left join invoice_items as item on item.invoice_id = candidate.invoice_id and entry.kind = 'item' and item.created_date <= :now
  left join relation.kb_payment as payment on payment.invoice_id = candidate.invoice_id and entry.kind = 'payment'
    and payment.payment_date <= :now
  where entry.kind = 'commit' or item.id is not null or payment.invoice_id is not null
),
balance as (
  select ledger.*,
    max(ledger.committed_at) over (partition by ledger.payer_id) as payer_committed_at,
    sum(ledger.amount) over (partition by ledger.payer_id order by ledger.entered_at) as open_amount
  from ledger
),
settled as (
  select balance.*,
    min(case when balance.entered_at >= balance.payer_committed_at and round(balance.open_amount, balance.decimals) <= 0
      then balance.entered_at end) over (partition by balance.payer_id) as paid_at
  from balance
)
select settled.invoice_id, settled.customer_key, settled.currency, settled.item_record_id, settled.item_id, settled.type,
  settled.subscription_id, settled.phase_name, settled.start_date, settled.end_date, settled.item_created_at, settled.item_amount,
  settled.paid_at
from settled
left join tags as written_off on written_off.object_id = settled.payer_id and written_off.object_type = 'INVOICE'
  and written_off.tag_definition_id = '00000000-0000-0000-0000-000000000004' and written_off.is_active = true
  and written_off.created_date < settled.paid_at
where settled.item_record_id is not null and settled.is_counted = 1 and settled.paid_at <= :now and written_off.object_id is null
