-- relation: cancellation
-- reads:    kb_cancel, kb_account
-- needs:    kb_cancel
-- param:    tenants integers
-- param:    cancel_reason_field text
-- The first active CANCEL of each subscription of the accounts that count, including a scheduled one. An add-on also has the CANCEL
-- of its base (D46). The reason is the text of the subscription's newest custom field for reasons, or else the reason code of the
-- CANCEL. The audit log stores the code for the CANCEL's history row. Before 0.22, the engine stored it for the event itself (KB
-- 1.5). If an add-on and its base cancel at one instant, a CANCEL with a reason counts before one without, and then the add-on's own
-- CANCEL counts first. `is_last` marks the customer's newest CANCEL at that instant.
with written as (
  select history.target_record_id as event_record_id, entry.reason_code, entry.record_id
  from subscription_event_history as history
  join audit_log as entry on entry.target_record_id = history.record_id and entry.table_name = 'SUBSCRIPTION_EVENT_HISTORY'
    and entry.change_type = 'INSERT'
  where history.tenant_record_id in (:tenants) and history.user_type = 'CANCEL' and entry.reason_code is not null
  union all
  select event.record_id, entry.reason_code, entry.record_id
  from subscription_events as event
  join audit_log as entry on entry.target_record_id = event.record_id and entry.table_name = 'SUBSCRIPTION_EVENTS'
    and entry.change_type = 'INSERT'
  where event.tenant_record_id in (:tenants) and event.user_type = 'CANCEL' and entry.reason_code is not null
),
audited as (
  select event_record_id, reason_code, row_number() over (partition by event_record_id order by record_id desc) as newness
  from written
),
stated as (
  select custom_field.object_id as subscription_id, custom_field.field_value,
    row_number() over (partition by custom_field.object_id order by custom_field.record_id desc) as newness
  from custom_fields as custom_field
  where custom_field.tenant_record_id in (:tenants) and custom_field.is_active = true and custom_field.object_type = 'SUBSCRIPTION'
    and custom_field.field_name = :cancel_reason_field and custom_field.field_value is not null
),
reasoned as (
  select cancel.*, canceled.bundle_id, canceled.category, coalesce(nullif(stated.field_value, ''), nullif(audited.reason_code, '')) as reason
  from relation.kb_cancel as cancel
  join subscriptions as canceled on canceled.id = cancel.subscription_id
  left join audited on audited.event_record_id = cancel.record_id and audited.newness = 1
  left join stated on stated.subscription_id = cancel.subscription_id and stated.newness = 1
  where cancel.cancel_number = 1
),
reaching as (
  select affected.account_record_id as customer_key, affected.id as subscription_id, reasoned.requested_at, reasoned.effective_at,
    reasoned.record_id, reasoned.reason,
    row_number() over (partition by affected.id, reasoned.effective_at
      order by case when reasoned.reason is null then 1 else 0 end, case when affected.id = reasoned.subscription_id then 0 else 1 end,
        reasoned.record_id) as nearness
  from reasoned
  join subscriptions as affected on affected.bundle_id = reasoned.bundle_id
    and (affected.id = reasoned.subscription_id or (reasoned.category = 'BASE' and affected.category = 'ADD_ON'))
  join relation.kb_account as account on account.customer_key = affected.account_record_id
),
ranked as (
  select reaching.*, row_number() over (partition by customer_key, effective_at order by record_id desc, subscription_id) as newness
  from reaching
  where nearness = 1
)
select customer_key, subscription_id, requested_at, effective_at, reason as cancel_reason,
  case when newness = 1 then true else false end as is_last
from ranked
