-- relation: revalued_span
-- reads:    subscription_span, valuation, fx_rate
-- param:    base_currency text
-- param:    range_start timestamp
-- param:    range_end timestamp
-- The spans of mrr_span, cut at the instants of the request, with base amounts at the rate of the day before each cut (D65). Spans that need no
-- rate are not cut. A span that ends at a cut has one more piece there, without length, in which its value goes from one day's rate to the
-- next one's. A piece begins with the rate of the day `entered_on` and ends with that of `left_on`. A piece that lasts beyond the last
-- instant ends with the rate of that instant. The empty part of `cut` keeps MySQL and MariaDB from merging it into its readers. Merged, they would look
-- up exchange rates by currency alone, and compare each piece with all days.
with cut as (
  select span.customer_key, span.subscription_id, span.status, span.plan, span.plan_key, span.phase_type, span.price_list, span.quantity, span.currency,
    span.subscription_mrr_cents, span.usage_mrr_cents, span.mrr_cents, span.is_trial, span.is_live, span.is_paused, span.is_unpriced,
    span.start_reason, valuation.rated_on,
    case when valuation.begins_at > span.valid_from then valuation.begins_at else span.valid_from end as piece_from,
    case when valuation.is_last = 1 or span.valid_to <= valuation.ends_before then span.valid_to else valuation.ends_before end as piece_to,
    case when valuation.is_last = 1 or span.valid_to <= valuation.ends_before then span.end_reason end as piece_end,
    case when valuation.begins_at > span.valid_from then valuation.opened_on else cast(span.valid_from as date) end as entered_on,
    case when span.valid_to is null or (valuation.is_last = 0 and span.valid_to >= valuation.ends_before)
        or cast(span.valid_to as date) > valuation.rated_on then valuation.rated_on
      else cast(span.valid_to as date) end as left_on
  from relation.subscription_span as span
  join relation.valuation as valuation
    on valuation.is_whole = case when span.currency <> :base_currency and span.mrr_cents <> 0 then 0 else 1 end
    and span.valid_from < valuation.ends_before and (span.valid_to is null or span.valid_to >= valuation.begins_at)
  where span.valid_from <= :range_end and (span.valid_to is null or span.valid_to >= :range_start)
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
  from (select 1 as one) as nothing
  where 1 = 0
),
rated as (
  select cut.*,
    case when cut.subscription_mrr_cents = 0 or cut.currency = :base_currency then cut.subscription_mrr_cents
      else fn.converted(cut.subscription_mrr_cents, rate.rate) end as subscription_base_cents,
    case when cut.usage_mrr_cents = 0 or cut.currency = :base_currency then cut.usage_mrr_cents
      else fn.converted(cut.usage_mrr_cents, rate.rate) end as usage_base_cents
  from cut
  left join relation.fx_rate as rate on rate.currency = cut.currency and rate.day = cut.rated_on
)
select customer_key, subscription_id, piece_from as valid_from, piece_to as valid_to, status, plan, plan_key, phase_type, price_list, quantity,
  currency, subscription_mrr_cents, usage_mrr_cents, mrr_cents, subscription_base_cents as subscription_mrr_base_cents,
  usage_base_cents as usage_mrr_base_cents, subscription_base_cents + usage_base_cents as mrr_base_cents,
  is_trial, is_live, is_paused, is_unpriced, start_reason, piece_end as end_reason, rated_on as subscription_fixed_on,
  rated_on as usage_fixed_on, entered_on, left_on
from rated
