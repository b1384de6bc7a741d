-- relation: billing_notice
-- reads:    kb_account, kb_invoice_number, kb_parent_invoice, kb_parent_surplus, kb_payer, kb_uninvoiced_usage
-- param:    tenants integers
-- param:    now timestamp
-- Facts of the engine that a person must look at, apart from the comparison of days. An add-on whose entitlement has ended is billed until it or
-- its base ends (KB 14). The newest state of the overdue service decides whether an account is overdue (KB 5.2). Each invoice of a child whose
-- parent pays belongs to an invoice of the parent, which the engine commits on the next day (KB 8.7).
with overdue as (
  select state.account_record_id, state.state, state.effective_date,
    row_number() over (partition by state.blockable_id order by state.effective_date desc, state.created_date desc, state.record_id desc) as recency
  from blocking_states as state
  where state.tenant_record_id in (:tenants) and state.is_active = true and state.service = 'overdue-service' and state.type = 'ACCOUNT'
    and state.effective_date <= :now and state.created_date <= :now
)
select account.customer_key, subscription.id as subscription_id, null as invoice_id, 'addon_without_entitlement' as kind,
  min(state.effective_date) as since_at, null as detail, fn.integer(null) as amount_cents, null as invoice_number
from relation.kb_account as account
join subscriptions as subscription on subscription.account_record_id = account.customer_key
join blocking_states as state on state.blockable_id = subscription.id
where subscription.tenant_record_id in (:tenants) and subscription.category = 'ADD_ON' and state.tenant_record_id in (:tenants)
  and state.is_active = true and state.service = 'entitlement-service' and state.state = 'ENT_CANCELLED' and state.effective_date <= :now
  and state.created_date <= :now and not exists (
    select 1
    from subscriptions as member
    join subscription_events as ending on ending.subscription_id = member.id
    where member.bundle_id = subscription.bundle_id and (member.id = subscription.id or member.category = 'BASE')
      and ending.is_active = true and (ending.user_type = 'CANCEL' or ending.event_type = 'EXPIRED'))
group by account.customer_key, subscription.id
union all
select account.customer_key, null, null, 'overdue', overdue.effective_date, overdue.state, null, null
from relation.kb_account as account
join overdue on overdue.account_record_id = account.customer_key
where overdue.recency = 1 and overdue.state <> '__KILLBILL__CLEAR__OVERDUE_STATE__'
union all
select usage_left.customer_key, usage_left.subscription_id, null, 'usage_not_invoiced', fn.add_period(usage_left.first_on, 0, 0),
  fn.text(usage_left.days), null, null
from relation.kb_account as account
join relation.kb_uninvoiced_usage as usage_left on usage_left.customer_key = account.customer_key
union all
select account.customer_key, null, invoice.id, 'never_attempted', invoice.created_date,
  case when off.account_record_id is not null then 'automatic payment is off'
    when payer.is_without_method = 1 then 'the account has no payment method' end, null, null
from relation.kb_account as account
join relation.kb_payer as payer on payer.customer_key = account.customer_key
join invoices as invoice on invoice.account_record_id = account.customer_key
left join invoice_payments as payment on payment.invoice_id = invoice.id
left join relation.kb_parent_invoice as link on link.child_invoice_id = invoice.id
left join (
  select distinct tag.account_record_id
  from tags as tag
  where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT'
    and tag.tag_definition_id = '00000000-0000-0000-0000-000000000001'
) as off on off.account_record_id = account.customer_key
where invoice.tenant_record_id in (:tenants) and invoice.status = 'COMMITTED' and invoice.created_date <= fn.add_period(:now, 0, -1)
  and payer.is_delegated = 0 and payment.invoice_id is null and link.child_invoice_id is null
union all
select account.customer_key, null, invoice.id, 'child_not_on_parent', invoice.created_date,
  case when link.child_invoice_id is null then 'no match' else 'draft' end, null, null
from relation.kb_account as account
join relation.kb_payer as payer on payer.customer_key = account.customer_key
join invoices as invoice on invoice.account_record_id = account.customer_key
left join relation.kb_parent_invoice as link on link.child_invoice_id = invoice.id
left join invoices as parent on parent.id = link.parent_invoice_id
where invoice.tenant_record_id in (:tenants) and payer.is_delegated = 1 and invoice.status = 'COMMITTED'
  and invoice.created_date <= fn.add_period(:now, 0, -1)
  and (link.child_invoice_id is null or (parent.status = 'DRAFT' and parent.created_date <= fn.add_period(:now, 0, -2)))
union all
select account.customer_key, null, null, 'last_invoice', fn.add_period(max(invoice.invoice_date), 0, 0), null, null, null
from relation.kb_account as account
join invoices as invoice on invoice.account_record_id = account.customer_key
where invoice.tenant_record_id in (:tenants) and invoice.status <> 'VOID' and invoice.created_date <= :now
group by account.customer_key
union all
select account.customer_key, null, surplus.invoice_id, surplus.kind, surplus.since_at, coalesce(paying.invoice_number, fn.text(parent.record_id)),
  surplus.amount_cents, coalesce(numbered.invoice_number, fn.text(invoice.record_id))
from relation.kb_account as account
join relation.kb_parent_surplus as surplus on surplus.customer_key = account.customer_key
join invoices as invoice on invoice.id = surplus.invoice_id
join invoices as parent on parent.id = surplus.parent_invoice_id
left join relation.kb_invoice_number as numbered on numbered.invoice_id = invoice.id
left join relation.kb_invoice_number as paying on paying.invoice_id = parent.id
