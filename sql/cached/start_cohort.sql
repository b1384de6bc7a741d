-- relation: start_cohort
-- reads:    mrr_span, mrr_movement, period
-- param:    unit text
-- param:    all_customers boolean
-- The rows of sql/relations/start_cohort.sql with joins where that has windows: groups and joins by number are quicker here than
-- sorting texts, and what is named several times is computed once.
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
customer_start as (
  select period_index, customer_key, coalesce(sum(start_amount), 0) as customer_start,
    max(case when held_id is not null and (unpriced = 1 or unrated = 1) then 1 else 0 end) as customer_unknown
  from judged
  group by period_index, customer_key
),
held as (
  select period_index, held_id, plan_key, plan, phase_name, price_list
  from judged
  where held_id is not null and movement_source = 'subscription'
),
placed as (
  select judged.*, held.held_id as known_subscription_id, held.plan_key as known_plan_key, held.plan as known_plan,
    held.phase_name as known_phase_name, held.price_list as known_price_list, customer.customer_start, customer.customer_unknown
  from judged
  join customer_start as customer on customer.period_index = judged.period_index and customer.customer_key = judged.customer_key
  left join held on held.period_index = judged.period_index and held.held_id = judged.subscription_id
)
select period_index, starts_at, customer_key, known_subscription_id as subscription_id, currency, known_plan_key as plan_key,
  known_plan as plan, known_phase_name as phase_name, known_price_list as price_list, movement_source, movement_type, occurred_at,
  ended_id, is_swap, start_amount, amount, unpriced, unrated, fixed_on,
  case when customer_start > 0 or :all_customers = true then 1 else 0 end as is_member
from placed
where customer_start > 0 or customer_unknown = 1 or :all_customers = true
