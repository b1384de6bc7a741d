-- relation: kb_usage_mean
-- reads:    usage_charge
-- param:    window_end timestamp
-- param:    usage_in_mrr boolean
-- Usage component after each payment (D29): mean of the newest three service months that have a charge paid by then.
with charge as (
  select fact.customer_key, fact.subscription_id, fact.paid_at, fact.service_month, sum(fact.amount_cents) as cents
  from relation.usage_charge as fact
  where :usage_in_mrr = true and fact.paid_at <= :window_end
  group by fact.customer_key, fact.subscription_id, fact.paid_at, fact.service_month
),
payment as (
  select distinct charge.customer_key, charge.subscription_id, charge.paid_at
  from charge
),
bucket as (
  select payment.customer_key, payment.subscription_id, payment.paid_at, charge.service_month, sum(charge.cents) as cents,
    row_number() over (
      partition by payment.customer_key, payment.subscription_id, payment.paid_at order by charge.service_month desc
    ) as recency
  from payment
  join charge on charge.customer_key = payment.customer_key and charge.subscription_id = payment.subscription_id
    and charge.paid_at <= payment.paid_at
  group by payment.customer_key, payment.subscription_id, payment.paid_at, charge.service_month
)
select bucket.customer_key, bucket.subscription_id, bucket.paid_at,
  case when sum(bucket.cents) > 0 then fn.int_div(sum(bucket.cents), count(*)) else 0 end as mean_cents
from bucket
where bucket.recency <= 3
group by bucket.customer_key, bucket.subscription_id, bucket.paid_at
