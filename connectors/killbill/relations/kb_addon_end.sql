-- relation: kb_addon_end
-- reads:    kb_addon, kb_event, kb_phase, addon_plan, base_addon
-- needs:    kb_addon
-- Ends of add-ons because their base changed to a plan that does not offer the add-on or already includes it (D18, KB 2.6). Only
-- base changes at or after the add-on's start count. Each change is compared with the add-on's plan at that instant. Of several
-- base changes at one instant, the last one counts.
with base_change as (
  select addon.tenant_key, addon.customer_key, addon.subscription_id, addon.subscription_key, base_event.effective_date as changed_at,
    substr(regexp_replace(base_event.phase_name, '-(trial|discount|fixedterm|evergreen)$', ''), 1, 255) as base_plan,
    min(case when own.start_type is not null then own.effective_date end) as started_at,
    max(case when own.kind = 'plan' and own.effective_date <= base_event.effective_date then own.effective_date end) as plan_set_at,
    max(case when own.kind in ('plan', 'phase') and own.effective_date <= base_event.effective_date then own.sort_key end) as phase_set_key,
    row_number() over (partition by addon.subscription_id, base.id, base_event.effective_date order by max(base_event.sort_key) desc) as recency
  from relation.kb_addon as addon
  join subscriptions as base on base.bundle_id = addon.bundle_id and base.category = 'BASE'
  join relation.kb_event as base_event on base_event.subscription_id = base.id and base_event.kind = 'plan'
    and base_event.start_type is null
  join relation.kb_event as own on own.subscription_id = addon.subscription_id
  group by addon.tenant_key, addon.customer_key, addon.subscription_id, addon.subscription_key, base.id, base_event.effective_date, base_event.phase_name
)
select base_change.customer_key, base_change.subscription_key, base_change.changed_at as ended_at
from base_change
join relation.kb_event as phase_event on phase_event.subscription_id = base_change.subscription_id
  and phase_event.sort_key = base_change.phase_set_key
join relation.kb_phase as phase on phase.phase_name = phase_event.phase_name
join relation.addon_plan as addon_plan on addon_plan.tenant_key = base_change.tenant_key and addon_plan.plan = phase.plan
  and (addon_plan.entered_from is null or base_change.plan_set_at >= addon_plan.entered_from)
  and (addon_plan.entered_to is null or base_change.plan_set_at < addon_plan.entered_to)
  and (addon_plan.from_at is null or base_change.changed_at >= addon_plan.from_at)
  and (addon_plan.to_at is null or base_change.changed_at < addon_plan.to_at)
join relation.base_addon as barred on barred.tenant_key = base_change.tenant_key and barred.base_plan = base_change.base_plan
  and barred.addon_product = addon_plan.product_name
  and (barred.from_at is null or base_change.changed_at >= barred.from_at)
  and (barred.to_at is null or base_change.changed_at < barred.to_at)
where base_change.changed_at >= base_change.started_at and base_change.recency = 1
