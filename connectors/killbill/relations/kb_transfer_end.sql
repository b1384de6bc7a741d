-- relation: kb_transfer_end
-- param:    tenants integers
-- param:    now timestamp
-- Ends by transfer of the bundle to another account (D19). One call of the engine renames the given bundle and inserts the received one. Their
-- history rows have one instant, and the key of that time. Their current keys may differ. If the history does not show the transfer (`doubt` 1),
-- the current keys decide: the same key without its prefixes. Of several received bundles whose subscription begins with TRANSFER, the one with the
-- smallest larger record_id counts. Received bundles are distinct, so that they are derived separately. A join with the given bundles by
-- nothing but the tenant would have the product of both as its number of rows.
with received as (
  select bundle.record_id, bundle.tenant_record_id, event.effective_date as moved_at,
    substr(regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255) as bundle_line
  from subscription_events as event
  join subscriptions as subscription on subscription.id = event.subscription_id
  join bundles as bundle on bundle.id = subscription.bundle_id
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.user_type = 'TRANSFER'
),
coming as (
  select distinct received.record_id, received.tenant_record_id, received.moved_at, way.doubt,
    case when way.doubt = 0 then inserted.external_key else received.bundle_line end as link_key,
    case when way.doubt = 0 then inserted.created_date else timestamp '1970-01-01 00:00:00' end as link_at
  from received
  left join bundle_history as inserted on inserted.target_record_id = received.record_id and inserted.change_type = 'INSERT'
  cross join (select 0 as doubt union all select 1) as way
),
going as (
  select renamed.target_record_id as record_id, renamed.tenant_record_id, 0 as doubt,
    substr(regexp_replace(renamed.external_key, '^kbtsf-[0-9]+:', ''), 1, 255) as link_key, renamed.created_date as link_at
  from bundle_history as renamed
  where renamed.tenant_record_id in (:tenants) and renamed.change_type = 'UPDATE' and renamed.external_key like 'kbtsf-%'
  union all
  select bundle.record_id, bundle.tenant_record_id, 1,
    substr(regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255), timestamp '1970-01-01 00:00:00'
  from bundles as bundle
  where bundle.tenant_record_id in (:tenants) and bundle.external_key like 'kbtsf-%'
),
matched as (
  select going.record_id, coming.moved_at,
    row_number() over (partition by going.record_id order by going.doubt, coming.record_id, coming.moved_at) as nearness
  from going
  join coming on coming.tenant_record_id = going.tenant_record_id and coming.doubt = going.doubt
    and coming.link_key = going.link_key and coming.link_at = going.link_at and coming.record_id > going.record_id
)
select subscription.account_record_id as customer_key, subscription.id as subscription_id, matched.moved_at as ended_at
from matched
join bundles as bundle on bundle.record_id = matched.record_id
join subscriptions as subscription on subscription.bundle_id = bundle.id
where matched.nearness = 1 and matched.moved_at <= :now
