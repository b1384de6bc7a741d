-- metric: data
-- query:  mrr_amounts
-- reads:  mrr_span
-- param:  before timestamp
-- unsliced
-- The distinct MRR amounts of a plan's subscriptions just before an instant, with the number of subscriptions and an example of each.
select span.plan, span.currency, span.mrr_cents, count(*) as subscription_count, min(span.subscription_id) as subscription_id
from relation.mrr_span as span
where span.valid_from < :before and (span.valid_to is null or span.valid_to >= :before) and span.mrr_cents > 0
group by span.plan, span.currency, span.mrr_cents
