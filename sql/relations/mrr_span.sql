-- relation: mrr_span
-- reads:    subscription_span, fx_rate
-- param:    base_currency text
-- param:    range_start timestamp
-- param:    range_end timestamp
-- Spans that touch the window, also those that end where it starts or begin where it ends (D28). Base amounts use the rate of the day on which each component last changed (D12).
with rated as (
  select span.*,
    case when span.subscription_mrr_cents = 0 or span.currency = :base_currency then span.subscription_mrr_cents
      else fn.converted(span.subscription_mrr_cents, subscription_rate.rate) end as subscription_base_cents,
    case when span.usage_mrr_cents = 0 or span.currency = :base_currency then span.usage_mrr_cents
      else fn.converted(span.usage_mrr_cents, usage_rate.rate) end as usage_base_cents
  from relation.subscription_span as span
  left join relation.fx_rate as subscription_rate on subscription_rate.currency = span.currency
    and subscription_rate.day = span.subscription_fixed_on
  left join relation.fx_rate as usage_rate on usage_rate.currency = span.currency and usage_rate.day = span.usage_fixed_on
  where span.valid_from <= :range_end and (span.valid_to is null or span.valid_to >= :range_start)
)
select customer_key, subscription_id, valid_from, valid_to, status, plan, plan_key, phase_type, price_list, quantity, currency,
  subscription_mrr_cents, usage_mrr_cents, mrr_cents, subscription_base_cents as subscription_mrr_base_cents,
  usage_base_cents as usage_mrr_base_cents, subscription_base_cents + usage_base_cents as mrr_base_cents,
  is_trial, is_live, is_paused, is_unpriced, start_reason, end_reason, subscription_fixed_on, usage_fixed_on
from rated
