-- metric: trials
-- query:  funnel
-- reads:  trial
-- param:  start timestamp
-- param:  end timestamp
-- param:  step text
-- Trials with :start <= started_at < :end and their outcome by now (D58), by day, month or in total, as :step requires. The window must reach
-- now. Used by conversion_rate, funnel, series and time_to_convert.
with measure as (
  select fact.converted_at as won_at, fact.expired_at as lost_at,
    fn.day_number(fn.clock(fact.converted_at)) - fn.day_number(fn.clock(fact.started_at)) as days_to_win,
    case when :step = 'day' then cast(fn.clock(fact.started_at) as date)
      when :step = 'month' then fn.month_start(fn.clock(fact.started_at))
      else cast(:start as date) end as bucket
    /*{dimensions}*/
  from relation.trial as fact
  /*{joins}*/
  where fact.started_at >= :start and fact.started_at < :end
  /*{filters}*/
)
select bucket, count(*) as started_count, sum(case when won_at is not null then 1 else 0 end) as converted_count,
  sum(case when lost_at is not null then 1 else 0 end) as expired_count,
  sum(case when won_at is null and lost_at is null then 1 else 0 end) as pending_count, sum(case when won_at is not null then days_to_win else 0 end)
    as days_sum
  /*{dimension_names}*/
from measure
group by bucket /*{group_by}*/
