-- relation: customer_link
-- param:    tenants integers
-- Accounts that depend on each other's rows share a key. Test accounts are included. The rows of an account alone show its keys. A
-- bundle that takes part in a transfer has a key for its line, without prefixes. It has one for its present external key and one for
-- each key in its history, because kb_transfer matches both. An invoice that a parent pays gives the id of the parent's invoice
-- as a key, to the parent and to the child (KB 8.5).
with received as (
  select distinct bundle.record_id
  from subscription_events as event
  join subscriptions as subscription on subscription.id = event.subscription_id
  join bundles as bundle on bundle.id = subscription.bundle_id
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.user_type = 'TRANSFER'
),
named as (
  select received.record_id, inserted.external_key
  from received
  join bundle_history as inserted on inserted.target_record_id = received.record_id and inserted.change_type = 'INSERT'
  union all
  select received.record_id, bundle.external_key
  from received
  join bundles as bundle on bundle.record_id = received.record_id
  union all
  select renamed.target_record_id, renamed.external_key
  from bundle_history as renamed
  where renamed.tenant_record_id in (:tenants) and renamed.change_type = 'UPDATE' and renamed.external_key like 'kbtsf-%'
  union all
  select given.record_id, given.external_key
  from bundles as given
  where given.tenant_record_id in (:tenants) and given.external_key like 'kbtsf-%'
)
select distinct bundle.account_record_id as customer_key,
  concat('bundle ', fn.text(bundle.tenant_record_id), ':', substr(regexp_replace(named.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255)) as link_key
from named
join bundles as bundle on bundle.record_id = named.record_id
union
select paying.account_record_id, concat('invoice ', fn.text(link.parent_invoice_id))
from invoice_parent_children as link
join invoices as paying on paying.id = link.parent_invoice_id
where link.tenant_record_id in (:tenants)
union
select paid.account_record_id, concat('invoice ', fn.text(link.parent_invoice_id))
from invoice_parent_children as link
join invoices as paid on paid.id = link.child_invoice_id
where link.tenant_record_id in (:tenants)
