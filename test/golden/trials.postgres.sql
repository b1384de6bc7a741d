-- The funnel of trials.
-- trials {"params":{"start":"2025-03-01","end":"2025-03-31"}}
/* plumbline trials.funnel stored/postgres */
with
  measure as (
    select
      fact.converted_at as won_at,
      fact.expired_at as lost_at,
      cast(cast(fact.converted_at as date) - date '1970-01-01' as bigint) - cast(cast(fact.started_at as date) - date '1970-01-01' as bigint) as days_to_win,
      case
        when $1::text = 'day' then cast(fact.started_at as date)
        when $1::text = 'month' then cast(date_trunc('month', cast(fact.started_at as timestamp)) as date)
        else cast($2::timestamp as date)
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
      fact.started_at >= $2::timestamp
      and fact.started_at < $3::timestamp
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
