-- relation: kb_usage_mean
-- reads:    usage_charge, carry
-- param:    window_end timestamp
-- param:    usage_in_mrr boolean
-- Usage component after each payment (D29): mean of the newest three service months that have a charge paid by then. Each
-- charge is carried forward to the payments whose mean it can enter: the next two where a subscription's months were paid
-- in order (the rule), all later ones where they were not. One pass, because MariaDB computes a CTE once per reference.
with charge as (
  select fact.customer_key, fact.subscription_id, fact.paid_at, fact.service_month, sum(fact.amount_cents) as cents
  from relation.usage_charge as fact
  where :usage_in_mrr = true and fact.paid_at <= :window_end
  group by fact.customer_key, fact.subscription_id, fact.paid_at, fact.service_month
),
numbered as (
  select charge.*,
    dense_rank() over (partition by charge.customer_key, charge.subscription_id order by charge.paid_at) as payment_number,
    lag(charge.service_month) over (
      partition by charge.customer_key, charge.subscription_id order by charge.paid_at, charge.service_month
    ) as month_before
  from charge
),
judged as (
  select numbered.*,
    max(numbered.payment_number) over (partition by numbered.customer_key, numbered.subscription_id) as last_number,
    max(case when numbered.service_month <= numbered.month_before then 1 else 0 end)
      over (partition by numbered.customer_key, numbered.subscription_id) as is_disordered
  from numbered
),
carried as (
  select judged.*, judged.last_number - judged.payment_number + 1 as later_payments
  from judged
),
entered as (
  select carried.customer_key, carried.subscription_id, carried.payment_number + carry.step as payment_number, carried.service_month,
    carried.cents, case when carry.step = 0 then carried.paid_at end as paid_at
  from carried
  join relation.carry as carry on carried.payment_number + carry.step <= carried.last_number
    and carry.span = case when carried.is_disordered = 0 and carried.later_payments > 3 then 3
      when carried.later_payments > 60 then 0 else carried.later_payments end
),
bucket as (
  select entered.customer_key, entered.subscription_id, entered.payment_number, entered.service_month,
    sum(entered.cents) as cents, max(entered.paid_at) as paid_at
  from entered
  group by entered.customer_key, entered.subscription_id, entered.payment_number, entered.service_month
),
ranked as (
  select bucket.customer_key, bucket.subscription_id, bucket.payment_number, bucket.cents,
    max(bucket.paid_at) over (partition by bucket.customer_key, bucket.subscription_id, bucket.payment_number) as paid_at,
    row_number() over (
      partition by bucket.customer_key, bucket.subscription_id, bucket.payment_number order by bucket.service_month desc
    ) as recency
  from bucket
)
select ranked.customer_key, ranked.subscription_id, ranked.paid_at,
  case when sum(ranked.cents) > 0 then fn.int_div(sum(ranked.cents), count(*)) else 0 end as mean_cents
from ranked
where ranked.recency <= 3
group by ranked.customer_key, ranked.subscription_id, ranked.paid_at
