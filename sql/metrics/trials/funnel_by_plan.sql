-- metric: trials
-- query:  funnel_by_plan
-- reads:  trial, mrr_span
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- The funnel by values that the subscription has at its start (D61), which are on its first span.
with begun as (
  select trial.customer_key, trial.subscription_id, trial.started_at, trial.converted_at, trial.expired_at,
    span.valid_from as began_at, span.plan, span.plan_key, span.price_list
  from relation.trial as trial
  join relation.mrr_span as span on span.subscription_id = trial.subscription_id and span.start_reason in ('start', 'bundle_transfer')
  where trial.started_at >= :start and trial.started_at < :end
),
measure as (
  select fact.converted_at as won_at, fact.expired_at as lost_at,
    fn.day_number(fn.clock(fact.converted_at)) - fn.day_number(fn.clock(fact.started_at)) as days_to_win,
    case when :step = 'day' then cast(fn.clock(fact.started_at) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.started_at))
      else cast(:start as date) end as bucket
    /*{dimensions}*/
  from begun as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select bucket, count(*) as started_count, sum(case when won_at is not null then 1 else 0 end) as converted_count,
  sum(case when lost_at is not null then 1 else 0 end) as expired_count,
  sum(case when won_at is null and lost_at is null then 1 else 0 end) as pending_count, sum(case when won_at is not null then days_to_win else 0 end)
    as days_sum
  /*{dimension_names}*/
from measure
group by bucket /*{group_by}*/
