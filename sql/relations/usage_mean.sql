-- relation: usage_mean
-- reads:    usage_charge, month_step
-- needs:    usage_charge
-- param:    window_end timestamp
-- param:    usage_in_mrr boolean
-- fenced
-- Usage component after each payment (D29): the mean of the newest three service months with a charge paid by then. Months are
-- usually paid in order. Then the newest three months are the last three rows. Near a month paid out of order (`disorder`), all
-- charges paid by then are carried forward to the payment and ranked. Both cases use one pass, because MariaDB computes a CTE
-- once per reference.
with charge as (
  select fact.customer_key, fact.subscription_id, fact.paid_at, fact.service_month, sum(fact.amount_cents) as cents
  from relation.usage_charge as fact
  where :usage_in_mrr = true and fact.paid_at <= :window_end
  group by fact.customer_key, fact.subscription_id, fact.paid_at, fact.service_month
),
numbered as (
  select charge.*,
    dense_rank() over (partition by charge.customer_key, charge.subscription_id order by charge.paid_at) as payment_number,
    max(charge.service_month) over (w rows between unbounded preceding and 1 preceding) as newest_before,
    sum(charge.cents) over (w rows between 2 preceding and current row) as last_cents,
    count(*) over (w rows between 2 preceding and current row) as last_count
  from charge
  window w as (partition by charge.customer_key, charge.subscription_id order by charge.paid_at, charge.service_month)
),
judged as (
  select numbered.*,
    max(case when numbered.service_month <= numbered.newest_before then 1 else 0 end) over (
      partition by numbered.customer_key, numbered.subscription_id order by numbered.paid_at, numbered.service_month
      rows between 2 preceding and current row
    ) as disorder
  from numbered
),
bounded as (
  select judged.*,
    min(case when judged.disorder = 1 then judged.payment_number end)
      over (partition by judged.customer_key, judged.subscription_id) as first_disorder,
    coalesce(max(case when judged.disorder = 1 then judged.payment_number end)
      over (partition by judged.customer_key, judged.subscription_id), 0) as last_disorder
  from judged
),
bucket as (
  select bounded.customer_key, bounded.subscription_id, bounded.payment_number + month_step.step as payment_number, bounded.service_month,
    sum(bounded.cents) as cents,
    max(case when month_step.step = 0 then bounded.paid_at end) as paid_at,
    max(case when month_step.step = 0 then bounded.disorder end) as disorder,
    max(case when month_step.step = 0 then bounded.last_cents end) as last_cents,
    max(case when month_step.step = 0 then bounded.last_count end) as last_count
  from bounded
  join relation.month_step as month_step on month_step.span = case when bounded.last_disorder <= bounded.payment_number then 1
      when bounded.last_disorder - bounded.payment_number < 60 then bounded.last_disorder - bounded.payment_number + 1 else 0 end
    and (month_step.step = 0 or bounded.payment_number + month_step.step between bounded.first_disorder and bounded.last_disorder)
  group by bounded.customer_key, bounded.subscription_id, bounded.payment_number + month_step.step, bounded.service_month
),
ranked as (
  select bucket.*,
    row_number() over (
      partition by bucket.customer_key, bucket.subscription_id, bucket.payment_number order by bucket.service_month desc
    ) as recency
  from bucket
),
mean as (
  select ranked.customer_key, ranked.subscription_id, max(ranked.paid_at) as paid_at,
    case when max(ranked.disorder) = 1 then sum(case when ranked.recency <= 3 then ranked.cents else 0 end)
      else max(case when ranked.recency = 1 then ranked.last_cents end) end as cents,
    case when max(ranked.disorder) = 1 then sum(case when ranked.recency <= 3 then 1 else 0 end)
      else max(case when ranked.recency = 1 then ranked.last_count end) end as month_count
  from ranked
  group by ranked.customer_key, ranked.subscription_id, ranked.payment_number
)
select mean.customer_key, mean.subscription_id, mean.paid_at,
  case when mean.cents > 0 then fn.int_div(mean.cents, mean.month_count) else 0 end as mean_cents
from mean
