-- relation: agreed_stretch
-- reads:    subscription_span, customer_zone
-- param:    now timestamp
-- The agreed amount of each local day of a subscription (H1): that of the span just before the end of the day. Days are numbers of days
-- since 1970-01-01. A stretch that lasts goes up to yesterday, so its end is the day of now.
with dated as (
  select span.customer_key, span.subscription_id, span.subscription_mrr_cents, span.quantity, span.is_unpriced, span.start_reason, span.end_reason,
    span.currency, span.subscription_fixed_on,
    fn.day_number(fn.add_seconds(span.valid_from, coalesce(zone.utc_offset_seconds, 0))) as first_day,
    fn.day_number(fn.add_seconds(coalesce(span.valid_to, :now), coalesce(zone.utc_offset_seconds, 0))) as end_day,
    case when span.start_reason = 'price'
      then lag(span.subscription_mrr_cents) over (partition by span.subscription_id order by span.valid_from) end as monthly_cents_before
  from relation.subscription_span as span
  left join relation.customer_zone as zone on zone.customer_key = span.customer_key
)
select dated.customer_key, dated.subscription_id, dated.first_day, dated.end_day, dated.subscription_mrr_cents as monthly_cents,
  dated.quantity, dated.is_unpriced, dated.monthly_cents_before, dated.end_reason, dated.currency, dated.subscription_fixed_on as fixed_on
from dated
where dated.first_day < dated.end_day or dated.end_reason is not null
