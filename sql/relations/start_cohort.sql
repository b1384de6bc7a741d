-- relation: start_cohort
-- reads:    mrr_span, mrr_movement, period
-- param:    unit text
-- param:    all_customers boolean
-- What the ratios on a start cohort are made of, per period: the MRR just before it by subscription and component, and the
-- movements in it (D43 to D45, without bundle transfers, D34). Plan columns are those just before the period, also on movements:
-- null where the subscription had no span then (D61). Only customers with MRR just before the period, unless :all_customers.
with stacked as (
  select period.period_index, period.starts_at, span.customer_key, span.subscription_id, span.subscription_id as held_id,
    span.currency, span.plan_key, span.plan, span.phase_name, span.price_list, part.movement_source,
    case when part.movement_source = 'usage' then span.usage_mrr_cents else span.subscription_mrr_cents end as start_cents,
    case when part.movement_source = 'usage' then span.usage_mrr_base_cents else span.subscription_mrr_base_cents end as start_base_cents,
    case when part.movement_source = 'usage' then span.usage_fixed_on else span.subscription_fixed_on end as fixed_on,
    case when part.movement_source = 'subscription' and span.is_unpriced = true then 1 else 0 end as unpriced,
    0 as amount_cents, 0 as amount_base_cents, 0 as is_swap, null as movement_type, null as occurred_at, null as ended_id
  from relation.mrr_span as span
  join relation.period as period
    on span.valid_from < period.starts_at and (span.valid_to is null or span.valid_to >= period.starts_at)
  cross join (select 'subscription' as movement_source union all select 'usage') as part
  union all
  select period.period_index, period.starts_at, movement.customer_key, movement.subscription_id, null,
    movement.currency, null, null, null, null, movement.movement_source, 0, 0, movement.fixed_on,
    case when movement.is_unpriced = true then 1 else 0 end, movement.amount_cents, movement.amount_base_cents,
    case when movement.is_swap = true then 1 else 0 end, movement.movement_type, movement.occurred_at,
    case when movement.reason in ('cancel', 'base_end') then movement.subscription_id end
  from relation.mrr_movement as movement
  join relation.period as period on movement.occurred_at >= period.starts_at and movement.occurred_at < period.ends_before
  where movement.reason <> 'bundle_transfer'
),
judged as (
  select stacked.*, case when :unit = 'base' then start_base_cents else start_cents end as start_amount,
    case when :unit = 'base' then amount_base_cents else amount_cents end as amount,
    case when (start_cents <> 0 and start_base_cents is null) or (amount_cents <> 0 and amount_base_cents is null) then 1
      else 0 end as unrated
  from stacked
),
placed as (
  select judged.*, max(held_id) over s as known_subscription_id, max(plan_key) over s as known_plan_key, max(plan) over s as known_plan,
    max(phase_name) over s as known_phase_name, max(price_list) over s as known_price_list,
    coalesce(sum(start_amount) over c, 0) as customer_start,
    max(case when held_id is not null and (unpriced = 1 or unrated = 1) then 1 else 0 end) over c as customer_unknown
  from judged
  window s as (partition by period_index, customer_key, subscription_id), c as (partition by period_index, customer_key)
)
select period_index, starts_at, customer_key, known_subscription_id as subscription_id, currency, known_plan_key as plan_key,
  known_plan as plan, known_phase_name as phase_name, known_price_list as price_list, movement_source, movement_type, occurred_at,
  ended_id, is_swap, start_amount, amount, unpriced, unrated, fixed_on,
  case when customer_start > 0 or :all_customers = true then 1 else 0 end as is_member
from placed
where customer_start > 0 or customer_unknown = 1 or :all_customers = true
