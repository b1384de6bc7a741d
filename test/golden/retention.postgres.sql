-- The cohort matrix: cohorts derived from spans.
-- retention {"params":{"start":"2025-03-01","end":"2025-03-31"}}
/* plumbline retention.cohort_matrix stored/postgres */
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
  dated as (
    select
      activity.*,
      cast(
        date_trunc(
          'month',
          cast(
            min(activity.valid_from) over (
              partition by
                activity.customer_key
            ) as timestamp
          )
        ) as date
      ) as cohort_month
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
  ),
  measure as (
    select
      fact.cohort_month as member_month,
      fact.customer_key as member_key,
      period.period_index,
      period.month,
      1 as event_matched
    from
      dated as fact
      join (
        select
          $5::bigint as period_index,
          $6::date as month,
          $7::timestamp as starts_at,
          $8::timestamp as ends_before
      ) as period on period.month = fact.cohort_month
      or (
        period.month > fact.cohort_month
        and fact.valid_from < period.ends_before
        and (
          fact.valid_to is null
          or fact.valid_to >= period.ends_before
        )
      )
    where
      fact.cohort_month >= $9::date
      and fact.cohort_month <= $10::date
  )
select
  member_month,
  period_index,
  count(distinct member_key) as active_count,
  event_matched
from
  measure
group by
  member_month,
  period_index,
  event_matched
