-- relation: period_ledger
-- reads:    mrr_span, mrr_movement, period
-- param:    unit text
-- The MRR just before each period of the request, by subscription and component, and the movements in the period (D43 to D45). Amounts are in
-- the unit of the request. Bundle transfers are left out (D34). Only start MRR has plan columns.
with stacked as (
  select period.period_index, period.starts_at, span.customer_key, span.subscription_id, span.subscription_id as held_id,
    span.currency, span.plan_key, span.plan, span.phase_type, span.price_list, part.movement_source,
    case when part.movement_source = 'usage' then span.usage_mrr_cents else span.subscription_mrr_cents end as start_cents,
    case when part.movement_source = 'usage' then span.usage_mrr_base_cents else span.subscription_mrr_base_cents end as start_base_cents,
    case when part.movement_source = 'usage' then span.usage_fixed_on else span.subscription_fixed_on end as fixed_on,
    case when part.movement_source = 'subscription' and span.is_unpriced = true then 1 else 0 end as unpriced,
    0 as amount_cents, 0 as amount_base_cents, 0 as rate_base_cents, 0 as is_swap, 0 as is_switch, null as movement_type, null as occurred_at, null as ended_id
  from relation.mrr_span as span
  join relation.period as period
    on span.valid_from < period.starts_at and (span.valid_to is null or span.valid_to >= period.starts_at)
  cross join (select 'subscription' as movement_source union all select 'usage') as part
  union all
  select period.period_index, period.starts_at, movement.customer_key, movement.subscription_id, null,
    movement.currency, null, null, null, null, movement.movement_source, 0, 0, movement.fixed_on,
    case when movement.is_unpriced = true then 1 else 0 end, movement.amount_cents, movement.amount_base_cents,
    movement.rate_base_cents,
    case when movement.is_swap = true then 1 else 0 end, case when movement.is_switch = true then 1 else 0 end, movement.movement_type, movement.occurred_at,
    case when movement.reason in ('cancel', 'base_end') then movement.subscription_id end
  from relation.mrr_movement as movement
  join relation.period as period on movement.occurred_at >= period.starts_at and movement.occurred_at < period.ends_before
  where movement.reason <> 'bundle_transfer'
)
select period_index, starts_at, customer_key, subscription_id, held_id, currency, plan_key, plan, phase_type, price_list,
  movement_source, movement_type, occurred_at, ended_id, is_swap, is_switch, unpriced, fixed_on,
  case when :unit = 'base' then start_base_cents else start_cents end as start_amount,
  case when :unit = 'base' then amount_base_cents else amount_cents end as amount, rate_base_cents,
  case when (start_cents <> 0 and start_base_cents is null) or (amount_cents <> 0 and amount_base_cents is null) then 1
    else 0 end as unrated
from stacked
