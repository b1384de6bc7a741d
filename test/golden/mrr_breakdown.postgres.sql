-- Movements derived from spans.
-- mrr {"params":{"query_type":"breakdown","start":"2025-03-01","end":"2025-03-31"}}
/* plumbline mrr.breakdown stored/postgres */
with
  rel_movement as (
    with
      neighbour as (
        select
          span.*,
          lag(span.status) over w as status_before,
          lag(span.plan) over w as plan_before,
          lag(span.plan_key) over w as plan_key_before,
          lag(span.phase_type) over w as phase_before,
          lag(span.price_list) over w as price_list_before,
          lag(span.subscription_mrr_cents) over w as subscription_before,
          lag(span.usage_mrr_cents) over w as usage_before,
          lag(span.subscription_fixed_on) over w as subscription_fixed_before,
          lag(span.usage_fixed_on) over w as usage_fixed_before,
          lag(span.is_unpriced) over w as unpriced_before
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
        window
          w as (
            partition by
              span.customer_key,
              span.subscription_id
            order by
              span.valid_from
          )
      ),
      turn as (
        select
          customer_key,
          subscription_id,
          currency,
          side.is_end,
          case
            when is_end = 1 then valid_to
            else valid_from
          end as occurred_at,
          case
            when is_end = 1 then end_reason
            else start_reason
          end as reason,
          case
            when is_end = 1 then status
            else coalesce(status_before, 'none')
          end as status_before,
          case
            when is_end = 1 then 'ended'
            else status
          end as status_after,
          case
            when is_end = 0
            and status in ('active', 'paused') then 1
            else 0
          end - case
            when is_end = 1
            and status in ('active', 'paused')
            or is_end = 0
            and status_before in ('active', 'paused') then 1
            else 0
          end as live_step,
          case
            when is_end = 1 then subscription_mrr_cents
            else coalesce(subscription_before, 0)
          end as subscription_before,
          case
            when is_end = 1 then 0
            else subscription_mrr_cents
          end as subscription_after,
          case
            when is_end = 1 then usage_mrr_cents
            else coalesce(usage_before, 0)
          end as usage_before,
          case
            when is_end = 1 then 0
            else usage_mrr_cents
          end as usage_after,
          case
            when is_end = 1 then subscription_fixed_on
            else subscription_fixed_before
          end as subscription_before_on,
          case
            when is_end = 0 then subscription_fixed_on
          end as subscription_after_on,
          case
            when is_end = 1 then usage_fixed_on
            else usage_fixed_before
          end as usage_before_on,
          case
            when is_end = 0 then usage_fixed_on
          end as usage_after_on,
          case
            when is_end = 1
            or status = 'paused' then 1
            else 0
          end as names_before,
          case
            when is_unpriced = true
            or (
              is_end = 0
              and coalesce(unpriced_before, false) = true
            ) then 1
            else 0
          end as unpriced,
          case
            when is_end = 0
            and status = 'paused' then plan_before
            else plan
          end as plan,
          case
            when is_end = 0
            and status = 'paused' then plan_key_before
            else plan_key
          end as plan_key,
          case
            when is_end = 0
            and status = 'paused' then phase_before
            else phase_type
          end as phase_type,
          case
            when is_end = 0
            and status = 'paused' then price_list_before
            else price_list
          end as price_list
        from
          neighbour
          cross join (
            select
              0 as is_end
            union all
            select
              1
          ) as side
        where
          side.is_end = 0
          or end_reason is not null
      ),
      placed as (
        select
          turn.*,
          sum(live_step) over (
            partition by
              customer_key
            order by
              occurred_at
          ) - sum(live_step) over (
            partition by
              customer_key,
              occurred_at
          ) as live_before,
          sum(
            case
              when live_step > 0 then 1
              else 0
            end
          ) over (
            partition by
              customer_key
            order by
              occurred_at
          ) - sum(
            case
              when live_step > 0 then 1
              else 0
            end
          ) over (
            partition by
              customer_key,
              occurred_at
          ) as activations_before,
          max(
            case
              when live_step < 0 then occurred_at
            end
          ) over (
            partition by
              customer_key
            order by
              occurred_at
          ) as lost_at,
          case
            when status_before = 'active'
            and status_after = 'ended' then 1
            when live_step = 1
            and status_after = 'active' then 2
            else 0
          end as swap_side
        from
          turn
        where
          occurred_at < $3::timestamp
          and (
            occurred_at >= $4::timestamp
            or live_step <> 0
          )
      ),
      in_window as (
        select
          placed.*,
          line.bundle_line,
          sum(
            case
              when swap_side = 1 then 1
              else 0
            end
          ) over s as swap_ends,
          sum(
            case
              when swap_side = 2 then 1
              else 0
            end
          ) over s as swap_starts,
          sum(
            case
              when swap_side > 0 then subscription_after - subscription_before + usage_after - usage_before
              else 0
            end
          ) over s as swap_net
        from
          placed
          join (
            select
              stored.*
            from
              bundle_line as stored
          ) as line on line.subscription_id = placed.subscription_id
        where
          occurred_at >= $4::timestamp
          and (
            swap_side > 0
            or subscription_after <> subscription_before
            or usage_after <> usage_before
            or unpriced = 1
          )
        window
          s as (
            partition by
              placed.customer_key,
              placed.occurred_at,
              line.bundle_line,
              placed.currency
          )
      ),
      paired as (
        select
          in_window.*,
          case
            when swap_side > 0
            and swap_ends > 0
            and swap_starts > 0 then 1
            else 0
          end as swapped,
          case
            when swap_ends > 0
            and swap_starts > 0
            or reason = 'bundle_transfer' then 0
            else swap_side
          end as single_side
        from
          in_window
      ),
      switching as (
        select
          paired.*,
          min(
            case
              when single_side = 1 then currency
            end
          ) over i as first_left,
          max(
            case
              when single_side = 1 then currency
            end
          ) over i as last_left,
          min(
            case
              when single_side = 2 then currency
            end
          ) over i as first_taken,
          max(
            case
              when single_side = 2 then currency
            end
          ) over i as last_taken
        from
          paired
        window
          i as (
            partition by
              customer_key,
              occurred_at
          )
      ),
      component as (
        select distinct
          switching.*,
          part.movement_source,
          case
            when single_side = 1
            and (
              first_taken <> currency
              or last_taken <> currency
            ) then 1
            when single_side = 2
            and (
              first_left <> currency
              or last_left <> currency
            ) then 1
            else 0
          end as switched,
          case
            when part.movement_source = 'usage' then usage_before
            else subscription_before
          end as before_cents,
          case
            when part.movement_source = 'usage' then usage_before_on
            else subscription_before_on
          end as before_fixed_on,
          case
            when part.movement_source = 'usage' then usage_after
            else subscription_after
          end as after_cents,
          case
            when part.movement_source = 'usage' then usage_after_on
            else subscription_after_on
          end as after_fixed_on
        from
          switching
          cross join (
            select
              'subscription' as movement_source
            union all
            select
              'usage'
          ) as part
        where
          (
            part.movement_source = 'usage'
            and usage_after <> usage_before
          )
          or (
            part.movement_source = 'subscription'
            and (
              subscription_after <> subscription_before
              or unpriced = 1
            )
          )
      ),
      typed as (
        select
          component.*,
          case
            when swapped = 1 then case
              when swap_net >= 0 then 'expansion'
              else 'contraction'
            end
            when status_after in ('paused', 'ended') then 'churn'
            when status_before = 'paused' then 'reactivation'
            when status_before = 'active' then case
              when after_cents > before_cents then 'expansion'
              else 'contraction'
            end
            when activations_before > 0
            and live_before = 0
            and cast(
              round(
                extract(
                  epoch
                  from
                    cast(occurred_at as timestamp) - cast(lost_at as timestamp)
                ) * 1000000
              ) as bigint
            ) <= $5::bigint * 86400000000 then 'reactivation'
            else 'new'
          end as movement_type
        from
          component
      )
    select
      occurred_at,
      movement_type,
      case
        when switched = 1 then 'net'
        else movement_type
      end as joint_type,
      movement_source,
      after_cents - before_cents as amount_cents,
      currency,
      customer_key,
      subscription_id,
      plan_key,
      plan,
      phase_type,
      price_list,
      reason,
      swapped = 1 as is_swap,
      unpriced = 1 as is_unpriced,
      case
        when after_cents <> 0 then after_fixed_on
        else before_fixed_on
      end as fixed_on,
      before_cents,
      before_fixed_on,
      after_cents,
      after_fixed_on,
      case
        when names_before = 1 then subscription_before
        else subscription_after
      end as named_subscription_cents,
      case
        when names_before = 1 then subscription_before_on
        else subscription_after_on
      end as named_subscription_fixed_on,
      case
        when names_before = 1 then usage_before
        else usage_after
      end as named_usage_cents,
      case
        when names_before = 1 then usage_before_on
        else usage_after_on
      end as named_usage_fixed_on
    from
      typed
  ),
  rel_fx_rate as (
    select
      $6::text as currency,
      $7::date as day,
      $8::numeric as rate
    where
      1 = 0
  ),
  rel_rated_movement as (
    with
      rated as (
        select
          movement.*,
          case
            when movement.before_cents = 0
            or movement.currency = $9::text then movement.before_cents
            else cast(round((movement.before_cents) * (before_rate.rate), 0) as bigint)
          end as before_base_cents,
          case
            when movement.before_cents = 0
            or movement.currency = $9::text then movement.before_cents
            else cast(round((movement.before_cents) * (after_rate.rate), 0) as bigint)
          end as revalued_base_cents,
          case
            when movement.after_cents = 0
            or movement.currency = $9::text then movement.after_cents
            else cast(round((movement.after_cents) * (after_rate.rate), 0) as bigint)
          end as after_base_cents,
          case
            when movement.named_subscription_cents = 0
            or movement.currency = $9::text then movement.named_subscription_cents
            else cast(round((movement.named_subscription_cents) * (subscription_rate.rate), 0) as bigint)
          end as subscription_base_cents,
          case
            when movement.named_usage_cents = 0
            or movement.currency = $9::text then movement.named_usage_cents
            else cast(round((movement.named_usage_cents) * (usage_rate.rate), 0) as bigint)
          end as usage_base_cents
        from
          (
            select
              movement.*
            from
              rel_movement as movement
          ) as movement
          left join rel_fx_rate as before_rate on before_rate.currency = movement.currency
          and before_rate.day = movement.before_fixed_on
          left join rel_fx_rate as after_rate on after_rate.currency = movement.currency
          and after_rate.day = coalesce(movement.after_fixed_on, cast(movement.occurred_at as date))
          left join rel_fx_rate as subscription_rate on subscription_rate.currency = movement.currency
          and subscription_rate.day = movement.named_subscription_fixed_on
          left join rel_fx_rate as usage_rate on usage_rate.currency = movement.currency
          and usage_rate.day = movement.named_usage_fixed_on
        where
          movement.occurred_at >= $4::timestamp
          and movement.occurred_at < $3::timestamp
      )
    select
      occurred_at,
      movement_type,
      joint_type,
      movement_source,
      amount_cents,
      after_base_cents - before_base_cents as amount_base_cents,
      revalued_base_cents - before_base_cents as rate_base_cents,
      currency,
      customer_key,
      subscription_id,
      plan_key,
      plan,
      phase_type,
      price_list,
      subscription_base_cents + usage_base_cents as mrr_base_cents,
      reason,
      is_swap,
      is_unpriced,
      fixed_on
    from
      rated
  ),
  rel_mrr_movement as (
    with
      netted as (
        select
          rated.*,
          case
            when rated.joint_type in ('net', 'component_net') then 1
            else 0
          end as switched,
          sum(rated.amount_base_cents) over g as net_base_cents,
          max(
            case
              when rated.amount_cents <> 0
              and rated.amount_base_cents is null then 1
              else 0
            end
          ) over g as net_unrated
        from
          rel_rated_movement as rated
        window
          g as (
            partition by
              rated.customer_key,
              rated.occurred_at,
              rated.joint_type,
              case
                when rated.joint_type = 'component_net' then rated.movement_source
              end
          )
      )
    select
      occurred_at,
      case
        when switched = 0 then joint_type
        when net_base_cents < 0 then 'contraction'
        else 'expansion'
      end as movement_type,
      movement_source,
      amount_cents,
      case
        when switched = 0
        or net_unrated = 0 then amount_base_cents
      end as amount_base_cents,
      case
        when switched = 1
        or joint_type in ('expansion', 'contraction') then rate_base_cents
        else 0
      end as rate_base_cents,
      currency,
      customer_key,
      subscription_id,
      plan_key,
      plan,
      phase_type,
      price_list,
      mrr_base_cents,
      reason,
      case
        when switched = 1 then true
        else is_swap
      end as is_swap,
      switched = 1 as is_switch,
      is_unpriced,
      fixed_on
    from
      netted
  ),
  measure as (
    select
      fact.movement_type,
      fact.currency as fact_currency,
      fact.amount_cents,
      fact.amount_base_cents,
      fact.rate_base_cents,
      fact.fixed_on,
      case
        when $10::text = 'day' then cast(fact.occurred_at as date)
        when $10::text = 'month' then cast(date_trunc('month', cast(fact.occurred_at as timestamp)) as date)
        else cast($11::timestamp as date)
      end as bucket,
      case
        when fact.is_unpriced = true then 1
        else 0
      end as unpriced,
      case
        when fact.amount_cents <> 0
        and fact.amount_base_cents is null then 1
        else 0
      end as unrated
    from
      rel_mrr_movement as fact
    where
      fact.occurred_at >= $11::timestamp
      and fact.occurred_at < $12::timestamp
  )
select
  movement_type,
  bucket,
  fact_currency,
  sum(amount_cents) as amount_cents,
  sum(amount_base_cents) as amount_base_cents,
  sum(rate_base_cents) as rate_base_cents,
  sum(
    case
      when amount_cents <> 0 then 1
      else 0
    end
  ) as event_count,
  sum(unpriced) as unpriced_count,
  sum(unrated) as unrated_count,
  min(
    case
      when unrated = 1 then fixed_on
    end
  ) as unrated_from,
  max(
    case
      when unrated = 1 then fixed_on
    end
  ) as unrated_through
from
  measure
group by
  movement_type,
  bucket,
  fact_currency
