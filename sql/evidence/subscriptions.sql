-- metric: evidence
-- query:  subscriptions
-- reads:  counted, customer, subscription_span, plan, fx_rate
-- param:  skip integer
-- param:  through integer
-- unsliced
-- Rows :skip + 1 to :through behind a number, the largest absolute amounts first, with the totals of all rows. Each has the state of its
-- subscription just before :before_at and at :after_at of the row, and the exchange rate of its day. Only spans of these subscriptions are
-- looked at, and without base amounts.
with ranked as (
  select counted.customer_key, counted.subscription_id, counted.occurred_at, counted.movement_type, counted.movement_source,
    counted.reason, counted.churn_type, counted.cancel_reason, counted.document_id, counted.plan, counted.before_at, counted.after_at, counted.currency, counted.fixed_on,
    counted.amount, counted.amount_cents, counted.rate_base_cents, customer.customer_id, customer.customer_name,
    count(*) over () as total_count, sum(counted.amount) over () as total_amount,
    row_number() over (order by case when counted.amount < 0 then -1 * counted.amount else counted.amount end desc,
      counted.occurred_at, customer.customer_id, fn.text(counted.subscription_id), fn.text(counted.document_id),
      counted.movement_type, counted.movement_source) as nth
  from relation.counted as counted
  left join relation.customer as customer on customer.customer_key = counted.customer_key
),
state as (
  select span.*
  from relation.subscription_span as span
  where span.subscription_id in (select ranked.subscription_id from ranked where ranked.nth > :skip and ranked.nth <= :through)
)
select page.nth, page.total_count, page.total_amount, page.customer_id, page.customer_name, page.subscription_id, page.occurred_at,
  page.movement_type, page.movement_source, page.reason, page.churn_type, page.cancel_reason, page.document_id, page.plan, page.currency,
  page.fixed_on, page.amount, page.amount_cents, page.rate_base_cents, rate.rate,
  coalesce(old_plan.plan_id, old_span.plan) as plan_before, coalesce(new_plan.plan_id, new_span.plan) as plan_after,
  old_span.status as status_before, new_span.status as status_after,
  old_span.quantity as quantity_before, new_span.quantity as quantity_after,
  old_span.mrr_cents as mrr_before_cents, new_span.mrr_cents as mrr_after_cents,
  old_span.subscription_mrr_cents as recurring_before_cents, new_span.subscription_mrr_cents as recurring_after_cents,
  old_span.usage_mrr_cents as usage_before_cents, new_span.usage_mrr_cents as usage_after_cents,
  new_span.valid_from, new_span.valid_to, page.before_at, page.after_at
from ranked as page
left join state as old_span on old_span.subscription_id = page.subscription_id
  and old_span.valid_from < page.before_at and coalesce(old_span.valid_to, timestamp '9999-12-31 00:00:00') >= page.before_at
left join state as new_span on new_span.subscription_id = page.subscription_id
  and new_span.valid_from <= page.after_at and coalesce(new_span.valid_to, timestamp '9999-12-31 00:00:00') > page.after_at
left join relation.plan as old_plan on old_plan.plan_key = old_span.plan_key
left join relation.plan as new_plan on new_plan.plan_key = new_span.plan_key
left join relation.fx_rate as rate on rate.currency = page.currency and rate.day = page.fixed_on
where page.nth > :skip and page.nth <= :through
