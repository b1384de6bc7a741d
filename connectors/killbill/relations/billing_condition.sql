-- relation: billing_condition
-- reads:    kb_account, kb_block, kb_event, kb_reverted_quantity
-- needs:    kb_rare_event, blocking_states, tags
-- param:    tenants integers
-- param:    now timestamp
-- Why the engine bills other amounts than agreed (KB 14). A QUANTITY_UPDATE or a billing pause at or after EXPIRED ends each
-- invoice run of the account with an error, and so does a TRANSFER without a plan. The engine parks an account in which it finds double billing.
-- The tag comes after the failed run, so the condition begins a day earlier. While an overdue state blocks billing, the engine switches
-- invoicing off by itself, so that it does not credit the days that were billed in advance. The block proves it, not the tag (KB 5.2).
with expired as (
  select event.subscription_id, min(event.effective_date) as expired_at
  from relation.kb_event as event
  where event.kind = 'expiry'
  group by event.subscription_id
),
cause as (
  select subscription.account_record_id as customer_key, 'invoicing_failed' as kind, late.created_date as valid_from
  from expired
  join subscription_events as late on late.subscription_id = expired.subscription_id and late.effective_date >= expired.expired_at
  join subscriptions as subscription on subscription.id = expired.subscription_id
  where late.tenant_record_id in (:tenants) and late.is_active = true and late.event_type = 'QUANTITY_UPDATE' and late.created_date <= :now
  union all
  select subscription.account_record_id, 'invoicing_failed', pause.created_date
  from expired
  join subscriptions as subscription on subscription.id = expired.subscription_id
  join blocking_states as pause on pause.blockable_id in (subscription.id, subscription.bundle_id)
    and pause.effective_date >= expired.expired_at
  where pause.tenant_record_id in (:tenants) and pause.is_active = true and pause.block_billing = true and pause.created_date <= :now
  union all
  select subscription.account_record_id, 'invoicing_failed', received.created_date
  from subscription_events as received
  join subscriptions as subscription on subscription.id = received.subscription_id
  where received.tenant_record_id in (:tenants) and received.is_active = true and received.user_type = 'TRANSFER'
    and received.plan_name is null and received.created_date <= :now
  union all
  select tag.account_record_id,
    case when tag.tag_definition_id = '00000000-0000-0000-0000-000000000002' then 'invoicing_off' else 'account_parked' end,
    case when tag.tag_definition_id = '00000000-0000-0000-0000-000000000002' then tag.created_date else fn.add_period(tag.created_date, 0, -1) end
  from tags as tag
  where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT' and tag.created_date <= :now
    and tag.tag_definition_id in ('00000000-0000-0000-0000-000000000002', '00000000-0000-0001-0000-000000000001')
),
earliest as (
  select cause.customer_key, cause.kind, min(cause.valid_from) as valid_from
  from cause
  group by cause.customer_key, cause.kind
)
select earliest.customer_key, subscription.id as subscription_id, earliest.kind, earliest.valid_from,
  case when 1 = 0 then earliest.valid_from end as valid_to, 0 as monthly_cents
from earliest
join relation.kb_account as account on account.customer_key = earliest.customer_key
join subscriptions as subscription on subscription.account_record_id = earliest.customer_key
union all
select reverted.customer_key, reverted.subscription_id, 'quantity_reverted', reverted.valid_from, reverted.valid_to, reverted.monthly_cents
from relation.kb_reverted_quantity as reverted
union all
select subscription.account_record_id, subscription.id, 'overdue_block', block.opened_at,
  case when count(block.closed_at) = count(*) then max(block.closed_at) end, 0
from relation.kb_block as block
join subscriptions as subscription on subscription.account_record_id = block.account_record_id
join relation.kb_account as account on account.customer_key = subscription.account_record_id
where subscription.tenant_record_id in (:tenants) and block.overdue_count = 1 and block.is_short = 0 and block.opened_at <= :now
  and (block.type = 'ACCOUNT' or block.blockable_id in (subscription.id, subscription.bundle_id))
group by subscription.account_record_id, subscription.id, block.opened_at
