-- Logo churn: activity derived from spans.
-- churn {"params":{"type":"logo","start":"2025-03-01","end":"2025-03-31"}}
/* plumbline churn.logo stored/mysql */
with
  rel_fx_rate as (
    select
      cast(? as char(64) character set utf8mb4) collate utf8mb4_bin as currency,
      cast(? as date) as day,
      cast(? as decimal(38, 12)) as rate
    from
      dual
    where
      1 = 0
  ),
  rel_mrr_span as (
    with
      rated as (
        select
          span.*,
          case
            when span.subscription_mrr_cents = 0
            or span.currency = ? then span.subscription_mrr_cents
            else cast(round((span.subscription_mrr_cents) * (subscription_rate.rate), 0) as signed)
          end as subscription_base_cents,
          case
            when span.usage_mrr_cents = 0
            or span.currency = ? then span.usage_mrr_cents
            else cast(round((span.usage_mrr_cents) * (usage_rate.rate), 0) as signed)
          end as usage_base_cents
        from
          (
            select
              stored.*
            from
              subscription_span as stored
            where
              stored.valid_from <= cast(? as datetime(6))
              and (
                stored.valid_to is null
                or stored.valid_to >= cast(? as datetime(6))
              )
          ) as span
          left join rel_fx_rate as subscription_rate on subscription_rate.currency = span.currency
          and subscription_rate.day = span.subscription_fixed_on
          left join rel_fx_rate as usage_rate on usage_rate.currency = span.currency
          and usage_rate.day = span.usage_fixed_on
        where
          span.valid_from <= cast(? as datetime(6))
          and (
            span.valid_to is null
            or span.valid_to >= cast(? as datetime(6))
          )
      )
    select
      customer_key,
      subscription_id,
      valid_from,
      valid_to,
      status,
      plan,
      plan_key,
      phase_type,
      price_list,
      quantity,
      currency,
      subscription_mrr_cents,
      usage_mrr_cents,
      mrr_cents,
      subscription_base_cents as subscription_mrr_base_cents,
      usage_base_cents as usage_mrr_base_cents,
      subscription_base_cents + usage_base_cents as mrr_base_cents,
      is_trial,
      is_live,
      is_paused,
      is_unpriced,
      start_reason,
      end_reason,
      subscription_fixed_on,
      usage_fixed_on
    from
      rated
  ),
  rel_customer_activity as (
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
          rel_mrr_span as span
          cross join (
            select
              1 as sign
            union all
            select
              -1
          ) as side
        where
          span.is_live = true
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
          ) window w as (
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
      rel_customer_activity as activity
      join (
        select
          cast(? as signed) as period_index,
          cast(? as date) as month,
          cast(? as datetime(6)) as starts_at,
          cast(? as datetime(6)) as ends_before
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
