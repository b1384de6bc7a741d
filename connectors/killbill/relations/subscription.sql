-- relation: subscription
-- reads:    kb_account, customer_zone
-- param:    tenants integers
-- Subscriptions of the accounts that count, with the first active CANCEL, including a scheduled one (D46, D61). The engine charges through a
-- local day of the account, and stores it with the time of day of the account (KB 1.3).
select subscription.id as subscription_id, subscription.account_record_id as customer_key, subscription.bundle_id,
  bundle.external_key as bundle_external_key, substr(regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', ''), 1, 255) as bundle_line,
  subscription.external_key, subscription.category, subscription.created_date as created_at, subscription.start_date as original_started_at,
  cast(fn.add_seconds(subscription.charged_through_date, coalesce(zone.utc_offset_seconds, 0)) as date) as charged_through_on,
  cancel.requested_at as cancel_requested_at, cancel.effective_at as cancel_at
from relation.kb_account as account
join subscriptions as subscription on subscription.account_record_id = account.customer_key
join bundles as bundle on bundle.id = subscription.bundle_id
left join relation.customer_zone as zone on zone.customer_key = account.customer_key
left join (
  select event.subscription_id, event.created_date as requested_at, event.effective_date as effective_at,
    row_number() over (partition by event.subscription_id order by event.effective_date, event.record_id) as cancel_number
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.user_type = 'CANCEL'
) as cancel on cancel.subscription_id = subscription.id and cancel.cancel_number = 1
where subscription.tenant_record_id in (:tenants)
