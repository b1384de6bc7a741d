-- Logo churn: activity derived from spans.
-- churn {"params":{"type":"logo","start":"2025-03-01","end":"2025-03-31"}}
/* plumbline churn.logo stored/postgres */
with
  rel_live_stretch as (
    with
      edge as (
        select
          span.customer_key,
          side.sign,
          case
            when side.sign = 1 then span.valid_from
            else span.valid_to
          end as turned_at,
          case
            when side.sign = -1
            and span.end_reason <> 'bundle_transfer' then 1
            else 0
          end as is_lost
        from
          (
            select
              stored.*
            from
              subscription_span as stored
            where
              stored.valid_from <= $1::timestamp
              and (
                stored.valid_to is null
                or stored.valid_to >= $2::timestamp
              )
          ) as span
          cross join (
            select
              1 as sign
            union all
            select
              -1
          ) as side
        where
          span.is_live = true
          and span.valid_from <= $3::timestamp
          and (
            span.valid_to is null
            or span.valid_to >= $4::timestamp
          )
          and (
            side.sign = 1
            or span.valid_to is not null
          )
      ),
      stepped as (
        select
          customer_key,
          turned_at,
          sum(sign) as live_step,
          max(is_lost) as is_lost
        from
          edge
        group by
          customer_key,
          turned_at
      ),
      counted as (
        select
          stepped.*,
          sum(live_step) over (
            partition by
              customer_key
            order by
              turned_at
          ) as live_after
        from
          stepped
      ),
      paired as (
        select
          counted.*,
          lead(turned_at) over w as ended_at,
          lead(is_lost) over w as ended_by_loss
        from
          counted
        where
          (
            live_after > 0
            and live_after = live_step
          )
          or (
            live_after = 0
            and live_step < 0
          )
        window
          w as (
            partition by
              customer_key
            order by
              turned_at
          )
      )
    select
      customer_key,
      turned_at as valid_from,
      ended_at as valid_to,
      case
        when ended_by_loss = 1 then true
        else false
      end as is_churn
    from
      paired
    where
      live_after > 0
  ),
  member as (
    select
      period.period_index,
      period.starts_at,
      activity.customer_key,
      max(
        case
          when activity.valid_from < period.starts_at then 1
          else 0
        end
      ) as was_live,
      max(
        case
          when activity.valid_from < period.ends_before
          and (
            activity.valid_to is null
            or activity.valid_to >= period.ends_before
          ) then 1
          else 0
        end
      ) as stays_live,
      min(
        case
          when activity.is_churn = true
          and activity.valid_to >= period.starts_at
          and activity.valid_to < period.ends_before then activity.valid_to
        end
      ) as churned_at
    from
      (
        select
          stretch.customer_key,
          stretch.valid_from,
          stretch.valid_to,
          stretch.is_churn
        from
          rel_live_stretch as stretch
        where
          stretch.valid_from <= $3::timestamp
          and (
            stretch.valid_to is null
            or stretch.valid_to >= $4::timestamp
          )
      ) as activity
      join (
        select
          $5::bigint as period_index,
          $6::date as month,
          $7::timestamp as starts_at,
          $8::timestamp as ends_before
      ) as period on activity.valid_from < period.ends_before
      and (
        activity.valid_to is null
        or activity.valid_to >= period.starts_at
      )
    group by
      period.period_index,
      period.starts_at,
      activity.customer_key
  ),
  measure as (
    select
      fact.period_index,
      fact.churned_at as left_at,
      fact.stays_live,
      1 as event_matched
    from
      member as fact
    where
      fact.was_live = 1
  )
select
  period_index,
  count(*) as active_count,
  sum(
    case
      when left_at is not null then 1
      else 0
    end
  ) as churn_count,
  min(left_at) as first_left_at,
  max(stays_live) as stays_live,
  event_matched
from
  measure
group by
  period_index,
  event_matched
