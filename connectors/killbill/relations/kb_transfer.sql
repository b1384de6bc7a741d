-- relation: kb_transfer
-- param:    tenants integers
-- Bundles that were transferred to another account, with the transfer of the received bundle (D19). One call of the engine renames
-- the given bundle and inserts the received bundle. In the history, both rows have the same instant, and the given bundle's key is
-- the received bundle's key with a prefix. The current keys may differ. If the history does not show the transfer (`doubt` 1), two
-- bundles match if their current keys without prefixes are equal. A received bundle has a subscription that begins with TRANSFER. If
-- several received bundles match, the one with the smallest record_id above the given bundle's counts. `distinct` in `coming`
-- makes the database compute the received bundles separately. Otherwise it might join given and received bundles by the tenant
-- alone, which combines every bundle with every other.
with received as (
  select bundle.record_id, bundle.tenant_record_id, event.effective_date as moved_at, event.created_date as known_at,
    substr(regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255) as bundle_line
  from subscription_events as event
  join subscriptions as subscription on subscription.id = event.subscription_id
  join bundles as bundle on bundle.id = subscription.bundle_id
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.user_type = 'TRANSFER'
),
coming as (
  select distinct received.record_id, received.tenant_record_id, received.moved_at, received.known_at, way.doubt,
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
  select going.record_id, coming.moved_at, coming.known_at,
    row_number() over (partition by going.record_id order by going.doubt, coming.record_id, coming.moved_at) as nearness
  from going
  join coming on coming.tenant_record_id = going.tenant_record_id and coming.doubt = going.doubt
    and coming.link_key = going.link_key and coming.link_at = going.link_at and coming.record_id > going.record_id
)
select matched.record_id as bundle_key, matched.moved_at, matched.known_at
from matched
where matched.nearness = 1
