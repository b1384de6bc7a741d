-- relation: kb_transfer_end
-- param:    tenants integers
-- param:    now timestamp
-- Ends by transfer of the bundle to another account (D19): the successor is the bundle with the same key without its
-- prefixes, the smallest larger record_id, and a subscription that begins with TRANSFER.
with received as (
  select bundle.record_id, bundle.tenant_record_id, event.effective_date as moved_at,
    substr(regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255) as bundle_line
  from subscription_events as event
  join subscriptions as subscription on subscription.id = event.subscription_id
  join bundles as bundle on bundle.id = subscription.bundle_id
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.user_type = 'TRANSFER'
),
given as (
  select bundle.id as bundle_id, bundle.record_id, bundle.tenant_record_id,
    substr(regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255) as bundle_line
  from bundles as bundle
  where bundle.tenant_record_id in (:tenants) and bundle.external_key like 'kbtsf-%'
),
matched as (
  select given.bundle_id, received.moved_at,
    row_number() over (partition by given.record_id order by received.record_id, received.moved_at) as nearness
  from given
  join received on received.tenant_record_id = given.tenant_record_id and received.bundle_line = given.bundle_line
    and received.record_id > given.record_id
)
select subscription.account_record_id as customer_key, subscription.id as subscription_id, matched.moved_at as ended_at
from matched
join subscriptions as subscription on subscription.bundle_id = matched.bundle_id
where matched.nearness = 1 and matched.moved_at <= :now
