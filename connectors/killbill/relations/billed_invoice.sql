-- relation: billed_invoice
-- reads:    kb_invoice_sum, kb_parent_invoice, kb_settlement, kb_account, kb_invoice_number
-- param:    tenants integers
-- param:    now timestamp
-- Every invoice of the accounts that count. If a parent account pays a child's invoice, the child's invoice is paid when the
-- parent's invoice is paid, and has no balance once the parent's invoice has none (KB 8.3, 8.5). So the state of an invoice
-- depends on the invoice itself and on its payer. kb_settlement leaves parent invoices out, so a parent invoice takes its payment
-- instant from its children. The session sets usage_invoices_only to false for this statement. Settlements are grouped so that
-- MariaDB materializes them with a key. Without grouping it merges them into the statement.
with judged as (
  select invoice.id as judged_id, amounts.charged, amounts.tax, amounts.charged_usage, amounts.paid, settlement.paid_at,
    case when written_off.object_id is null then 0 else 1 end as is_written_off,
    case
      when invoice.status in ('DRAFT', 'VOID') or invoice.migrated = true or written_off.object_id is not null
        then cast(0 as decimal(24, 3))
      when invoice.currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF',
        'XOF', 'XPF') then cast(round(coalesce(amounts.balance, 0), 0) as decimal(24, 3))
      when invoice.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND')
        then cast(round(coalesce(amounts.balance, 0), 3) as decimal(24, 3))
      else cast(round(coalesce(amounts.balance, 0), 2) as decimal(24, 3)) end as balance
  from invoices as invoice
  left join relation.kb_invoice_sum as amounts on amounts.invoice_id = invoice.id
  left join (
    select counted.invoice_id, min(counted.paid_at) as paid_at
    from relation.kb_settlement as counted
    group by counted.invoice_id
  ) as settlement on settlement.invoice_id = invoice.id
  left join (
    select distinct tag.object_id
    from tags as tag
    where tag.tenant_record_id in (:tenants) and tag.object_type = 'INVOICE' and tag.is_active = true and tag.created_date <= :now
      and tag.tag_definition_id = '00000000-0000-0000-0000-000000000004'
  ) as written_off on written_off.object_id = invoice.id
  where invoice.tenant_record_id in (:tenants) and invoice.created_date <= :now
),
reached as (
  select reach.invoice_id, reach.side, judged.*
  from judged
  join (
    select invoice.id as reaching_id, invoice.id as invoice_id, 'own' as side
    from invoices as invoice
    where invoice.tenant_record_id in (:tenants)
    union all
    select link.parent_invoice_id, link.child_invoice_id, 'payer'
    from relation.kb_parent_invoice as link
    union all
    select link.child_invoice_id, link.parent_invoice_id, 'child'
    from relation.kb_parent_invoice as link
  ) as reach on reach.reaching_id = judged.judged_id
),
added as (
  select invoice_id, max(case when side <> 'child' then is_written_off else 0 end) as is_written_off, min(paid_at) as paid_at,
    coalesce(sum(case when side = 'own' then charged end), 0) as charged, coalesce(sum(case when side = 'own' then tax end), 0) as tax,
    coalesce(sum(case when side = 'own' then charged_usage end), 0) as charged_usage,
    coalesce(sum(case when side = 'own' then paid end), 0) as paid, sum(case when side = 'own' then balance end) as balance,
    max(case when side = 'payer' and balance = 0 then 1 else 0 end) as is_settled_by_parent
  from reached
  group by invoice_id
),
stated as (
  select invoice.account_record_id, invoice.id, invoice.record_id, invoice.status, invoice.currency, invoice.invoice_date,
    invoice.created_date, coalesce(invoice.migrated, false) as migrated, added.is_written_off, added.charged, added.tax,
    added.charged_usage, added.paid, case when added.is_settled_by_parent = 1 then 0 else added.balance end as balance,
    case when invoice.status = 'COMMITTED' and coalesce(invoice.migrated, false) = false then added.paid_at end as paid_at
  from added
  join invoices as invoice on invoice.id = added.invoice_id
)
select stated.account_record_id as customer_key, stated.id as invoice_id,
  coalesce(numbered.invoice_number, fn.text(stated.record_id)) as invoice_number,
  case when stated.status = 'DRAFT' then 'draft' when stated.status = 'VOID' then 'void'
    when stated.paid_at is not null or stated.migrated = true then 'paid' when stated.is_written_off = 1 then 'uncollectible'
    else 'open' end as status,
  stated.currency, stated.invoice_date, stated.created_date as created_at, stated.paid_at, voided.voided_at,
  fn.integer(round(100 * stated.charged, 0)) as total_cents, fn.integer(round(100 * stated.tax, 0)) as tax_cents,
  fn.integer(round(100 * stated.charged_usage, 0)) as usage_cents, fn.integer(round(100 * stated.paid, 0)) as amount_paid_cents,
  fn.integer(round(100 * stated.balance, 0)) as balance_cents
from stated
join relation.kb_account as account on account.customer_key = stated.account_record_id
left join relation.kb_invoice_number as numbered on numbered.invoice_id = stated.id
left join (
  select history.target_record_id, min(history.created_date) as voided_at
  from invoice_history as history
  where history.tenant_record_id in (:tenants) and history.status = 'VOID' and history.created_date <= :now
  group by history.target_record_id
) as voided on voided.target_record_id = case when stated.status = 'VOID' then stated.record_id end
