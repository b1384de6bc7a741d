-- The funnel of trials.
-- trials {"params":{"start":"2025-03-01","end":"2025-03-31"}}
/* plumbline trials.funnel stored/mysql */
with
  measure as (
    select
      fact.converted_at as won_at,
      fact.expired_at as lost_at,
      datediff(fact.converted_at, '1970-01-01') - datediff(fact.started_at, '1970-01-01') as days_to_win,
      case
        when ? = 'day' then cast(fact.started_at as date)
        when ? = 'month' then cast(date_format(fact.started_at, '%Y-%m-01') as date)
        else cast(cast(? as datetime(6)) as date)
      end as bucket,
      1 as event_matched
    from
      (
        select
          stored.*
        from
          trial as stored
      ) as fact
    where
      fact.started_at >= cast(? as datetime(6))
      and fact.started_at < cast(? as datetime(6))
  )
select
  bucket,
  count(*) as started_count,
  sum(
    case
      when won_at is not null then 1
      else 0
    end
  ) as converted_count,
  sum(
    case
      when lost_at is not null then 1
      else 0
    end
  ) as expired_count,
  sum(
    case
      when won_at is null
      and lost_at is null then 1
      else 0
    end
  ) as pending_count,
  sum(
    case
      when won_at is not null then days_to_win
      else 0
    end
  ) as days_sum,
  event_matched
from
  measure
group by
  bucket,
  event_matched
