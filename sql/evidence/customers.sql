-- metric: evidence
-- query:  customers
-- reads:  counted, customer, fx_rate
-- param:  skip integer
-- param:  through integer
-- unsliced
-- Rows :skip + 1 to :through behind a number whose rows are customers, invoices or charges. The largest absolute amounts come first. Each
-- row has the totals of all rows, and the exchange rate of its day.
with ranked as (
  select counted.subscription_id, counted.occurred_at, counted.movement_type, counted.movement_source, counted.reason,
    counted.churn_type, counted.cancel_reason, counted.document_id, counted.plan, counted.currency, counted.fixed_on, counted.amount, counted.amount_cents, counted.rate_base_cents,
    customer.customer_id, customer.customer_name,
    count(*) over () as total_count, sum(counted.amount) over () as total_amount,
    row_number() over (order by case when counted.amount < 0 then -1 * counted.amount else counted.amount end desc,
      counted.occurred_at, customer.customer_id, fn.text(counted.subscription_id), fn.text(counted.document_id)) as nth
  from relation.counted as counted
  left join relation.customer as customer on customer.customer_key = counted.customer_key
)
select ranked.nth, ranked.total_count, ranked.total_amount, ranked.customer_id, ranked.customer_name, ranked.subscription_id,
  ranked.occurred_at, ranked.movement_type, ranked.movement_source, ranked.reason, ranked.churn_type, ranked.cancel_reason, ranked.document_id,
  ranked.plan, ranked.currency, ranked.fixed_on, ranked.amount, ranked.amount_cents, ranked.rate_base_cents, rate.rate
from ranked
left join relation.fx_rate as rate on rate.currency = ranked.currency and rate.day = ranked.fixed_on
where ranked.nth > :skip and ranked.nth <= :through
