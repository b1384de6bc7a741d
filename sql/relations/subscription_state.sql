-- relation: subscription_state
-- reads:    subscription_life, mrr_span
-- param:    now timestamp
-- Current state of each subscription (D22), from its life and its last span. A subscription without a span is not activated: it begins later, or
-- is blocked from its start. The window must end just after now.
with last_span as (
  select span.*, row_number() over (partition by span.customer_key, span.subscription_id order by span.valid_from desc) as recency
  from relation.mrr_span as span
),
stated as (
  select life.*, span.valid_from, span.plan as span_plan, span.plan_key as span_plan_key, span.phase_type as span_phase_type,
    span.price_list as span_price_list, span.quantity as span_quantity, span.currency, span.mrr_cents, span.mrr_base_cents, span.usage_mrr_base_cents,
    span.is_unpriced,
    case when life.started_at > :now then 'pending' when life.ended_at is not null then 'canceled'
      else coalesce(span.status, 'pending') end as status
  from relation.subscription_life as life
  left join last_span as span on span.subscription_id = life.subscription_id and span.recency = 1
)
select customer_key, subscription_id, status, started_at, ended_at, end_reason, next_change_at,
  case when valid_from is null then plan else span_plan end as plan, case when valid_from is null then plan_key else span_plan_key end as plan_key,
  case when valid_from is null then phase_type else span_phase_type end as phase_type,
  case when valid_from is null then price_list else span_price_list end as price_list,
  case when valid_from is null then quantity else span_quantity end as quantity, currency,
  case when status <> 'active' then 0 when is_unpriced = true then null else mrr_cents end as mrr_cents,
  case when status <> 'active' then 0 when is_unpriced = true then null else mrr_base_cents end as mrr_base_cents,
  case when status <> 'active' then 0 else usage_mrr_base_cents end as usage_mrr_base_cents
from stated
