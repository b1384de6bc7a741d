-- metric: summary
-- query:  figures
-- reads:  start_cohort, customer_activity, churn_period, trial
-- param:  trials_from timestamp
-- param:  trials_to timestamp
-- param:  counts_returned boolean
-- Every figure of the summary in one statement, so that a database that computes a shared CTE only once also reads the spans only
-- once. Everything is summed by customer first, so that the filters on customers appear once. The column `part` gives the kind of
-- a row: `revenue` is MRR just before a period and the movements in it. Its index is 0 for the requested day; the windows and the
-- days between which net new MRR is follow, each once. `activity` is live customers and logo churn by period (D41). `trial` is trials begun in the trailing window (D58). Retention is capped per customer. A swap group
-- counts by its net amount, and a reactivation is a gain if :counts_returned is true (D45). A customer that pays in several currencies
-- counts once, so an amount has a `fact_currency` only where it lacks its rate.
with moved as (
  select cohort.period_index, cohort.customer_key, case when cohort.is_switch = 0 then cohort.currency end as swap_currency, cohort.movement_type as kind, cohort.fixed_on,
    case when cohort.unrated = 1 then cohort.currency end as fact_currency,
    case when cohort.is_swap = 1 then cohort.occurred_at end as swapped_at,
    case when cohort.movement_type is null then cohort.subscription_id end as held_id,
    cohort.start_amount, cohort.amount, cohort.unpriced, cohort.unrated
  from relation.start_cohort as cohort
),
netted as (
  select period_index, customer_key, fact_currency, kind, held_id, sum(start_amount) as start_amount, sum(amount) as amount,
    case when swapped_at is null then sum(case when amount > 0 then amount else 0 end)
      when sum(amount) > 0 then sum(amount) else 0 end as gain,
    case when swapped_at is null then sum(case when amount < 0 then -amount else 0 end)
      when sum(amount) < 0 then -sum(amount) else 0 end as loss,
    sum(unpriced) as unpriced, sum(unrated) as unrated,
    min(case when unrated = 1 then fixed_on end) as unrated_from, max(case when unrated = 1 then fixed_on end) as unrated_through
  from moved
  group by period_index, customer_key, fact_currency, swap_currency, kind, held_id, swapped_at
),
revenue as (
  select period_index, customer_key, fact_currency, sum(start_amount) as start_amount,
    sum(case when start_amount > 0 then 1 else 0 end) as paying_subscriptions,
    sum(case when kind in ('expansion', 'contraction', 'churn') or (kind = 'reactivation' and :counts_returned = true)
      then gain else 0 end) as gain,
    sum(case when kind in ('expansion', 'contraction', 'churn') then loss else 0 end) as loss,
    sum(case when kind in ('new', 'expansion', 'reactivation') then amount else 0 end) as won,
    sum(case when kind = 'contraction' then amount else 0 end) as contracted,
    sum(case when kind = 'churn' then amount else 0 end) as churned,
    sum(unpriced) as unpriced, sum(unrated) as unrated, min(unrated_from) as unrated_from, max(unrated_through) as unrated_through
  from netted
  group by period_index, customer_key, fact_currency
),
activity as (
  select period.period_index, live.customer_key,
    max(case when live.valid_from < period.starts_at then 1 else 0 end) as was_live,
    max(case when live.is_churn = true and live.valid_to >= period.starts_at and live.valid_to < period.ends_before then 1
      else 0 end) as has_churned
  from relation.customer_activity as live
  join relation.churn_period as period
    on live.valid_from < period.ends_before and (live.valid_to is null or live.valid_to >= period.starts_at)
  group by period.period_index, live.customer_key
),
stacked as (
  select 'revenue' as part, period_index, customer_key, fact_currency, start_amount, paying_subscriptions, gain, loss, won, contracted,
    churned, unpriced, unrated, unrated_from, unrated_through, 0 as members, 0 as outcomes
  from revenue
  union all
  select 'activity', period_index, customer_key, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, was_live, was_live * has_churned
  from activity
  union all
  select 'trial', 0, trial.customer_key, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, 1,
    case when trial.converted_at is null then 0 else 1 end
  from relation.trial as trial
  where trial.started_at >= :trials_from and trial.started_at < :trials_to
),
measure as (
  select fact.part, fact.period_index, fact.fact_currency, fact.start_amount, fact.paying_subscriptions, fact.gain, fact.loss,
    fact.won, fact.contracted, fact.churned, fact.unpriced, fact.unrated, fact.unrated_from, fact.unrated_through,
    fact.members, fact.outcomes
    /*{dimensions}*/
  from stacked as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select part, period_index, fact_currency, sum(start_amount) as mrr_sum,
  sum(case when start_amount > 0 then 1 else 0 end) as payer_count, sum(paying_subscriptions) as subscription_count,
  sum(case when start_amount > 0 then start_amount else 0 end) as start_sum,
  sum(case when start_amount > 0 then churned else 0 end) as lost_sum,
  sum(case when start_amount > 0 and start_amount + gain - loss > 0 then start_amount + gain - loss else 0 end) as net_sum,
  sum(case when start_amount > 0 and start_amount - loss > 0 then start_amount - loss else 0 end) as gross_sum,
  sum(won) as won_sum, sum(contracted) as contraction_sum, sum(churned) as churn_sum, sum(members) as member_count,
  sum(outcomes) as outcome_count, sum(unpriced) as unpriced_count, sum(unrated) as unrated_count,
  min(unrated_from) as unrated_from, max(unrated_through) as unrated_through
  /*{dimension_names}*/
from measure
group by part, period_index, fact_currency /*{group_by}*/
