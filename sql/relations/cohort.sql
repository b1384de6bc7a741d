-- relation: cohort
-- reads:    mrr_span
-- Cohort of each customer (D47): the month in which it was first live (D38). The caller must ask for a window that begins before all spans.
select span.customer_key, min(span.valid_from) as first_active_at, fn.month_start(min(fn.clock(span.valid_from))) as cohort_month
from relation.mrr_span as span
where span.is_live = true
group by span.customer_key
