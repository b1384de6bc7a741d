-- relation: billing_evidence
-- reads:    kb_account, kb_event_quantity
-- param:    tenants integers
-- param:    now timestamp
-- Rows of the engine that show what was agreed and billed. They are events of the subscription, its recurring items with their repairs, and the tags of
-- its account that stop invoices. Overdue states that block billing are rows, too. `from_on` and `to_on` are the days of an item.
select subscription.account_record_id as customer_key, event.subscription_id, 'subscription_events' as table_name, event.record_id as row_key,
  event.id as row_id, event.effective_date as occurred_at, coalesce(event.user_type, event.event_type) as row_kind,
  coalesce(event.plan_name, event.phase_name) as detail,
  case when 1 = 0 then cast(event.effective_date as date) end as from_on, case when 1 = 0 then cast(event.effective_date as date) end as to_on,
  case when 1 = 0 then event.record_id end as amount_cents, stated.quantity,
  case when 1 = 0 then cast(event.effective_date as date) end as priced_on
from relation.kb_account as account
join subscriptions as subscription on subscription.account_record_id = account.customer_key
join subscription_events as event on event.subscription_id = subscription.id
left join relation.kb_event_quantity as stated on stated.event_key = event.record_id
where event.tenant_record_id in (:tenants) and event.is_active = true and event.created_date <= :now
union all
select item.account_record_id, coalesce(item.subscription_id, charged.subscription_id), 'invoice_items', item.record_id, item.id,
  item.created_date, item.type, item.phase_name, item.start_date, item.end_date, fn.integer(round(100 * item.amount, 0)),
  null, cast(item.catalog_effective_date as date)
from relation.kb_account as account
join invoice_items as item on item.account_record_id = account.customer_key
join invoices as invoice on invoice.id = item.invoice_id
left join invoice_items as charged on charged.id = item.linked_item_id
where item.tenant_record_id in (:tenants) and item.type in ('RECURRING', 'REPAIR_ADJ') and item.created_date <= :now
  and invoice.status <> 'VOID' and item.start_date is not null and coalesce(item.subscription_id, charged.subscription_id) is not null
union all
select subscription.account_record_id, subscription.id, 'tags', tag.record_id, tag.id, tag.created_date,
  case when tag.tag_definition_id = '00000000-0000-0000-0000-000000000002' then 'AUTO_INVOICING_OFF' else '__PARK__' end, null,
  null, null, null, null, null
from relation.kb_account as account
join subscriptions as subscription on subscription.account_record_id = account.customer_key
join tags as tag on tag.account_record_id = account.customer_key
where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT' and tag.created_date <= :now
  and tag.tag_definition_id in ('00000000-0000-0000-0000-000000000002', '00000000-0000-0001-0000-000000000001')
union all
select subscription.account_record_id, subscription.id, 'blocking_states', state.record_id, state.id, state.effective_date, state.service, state.state,
  null, null, null, null, null
from relation.kb_account as account
join subscriptions as subscription on subscription.account_record_id = account.customer_key
join blocking_states as state on state.account_record_id = account.customer_key
where state.tenant_record_id in (:tenants) and state.is_active = true and state.service = 'overdue-service' and state.block_billing = true
  and state.effective_date <= :now and state.created_date <= :now
  and (state.type = 'ACCOUNT' or state.blockable_id in (subscription.id, subscription.bundle_id))
