-- Every kind of dimension and filter.
-- mrr {"params":{"at":"2025-03-31"},"spec":{"dimensions":["plan_id","customer_country","cohort_month","mrr_band","pending_cancellation"],"filters":{"currency":["EUR","USD"],"customer_name":{"contains":"a_b","is_not_empty":true},"customer_created_month":{"between":["2024-01-01","2025-02-01"]},"plan_interval":{"not in":["day","week"]}}}}
/* plumbline mrr.current stored/postgres */
with
  rel_fx_rate as (
    select
      $1::text as currency,
      $2::date as day,
      $3::numeric as rate
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
            or span.currency = $4::text then span.subscription_mrr_cents
            else cast(round((span.subscription_mrr_cents) * (subscription_rate.rate), 0) as bigint)
          end as subscription_base_cents,
          case
            when span.usage_mrr_cents = 0
            or span.currency = $4::text then span.usage_mrr_cents
            else cast(round((span.usage_mrr_cents) * (usage_rate.rate), 0) as bigint)
          end as usage_base_cents
        from
          (
            select
              stored.*
            from
              subscription_span as stored
            where
              stored.valid_from <= $5::timestamp
              and (
                stored.valid_to is null
                or stored.valid_to >= $6::timestamp
              )
          ) as span
          left join rel_fx_rate as subscription_rate on subscription_rate.currency = span.currency
          and subscription_rate.day = span.subscription_fixed_on
          left join rel_fx_rate as usage_rate on usage_rate.currency = span.currency
          and usage_rate.day = span.usage_fixed_on
        where
          span.valid_from <= $7::timestamp
          and (
            span.valid_to is null
            or span.valid_to >= $8::timestamp
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
  measure as (
    select
      fact.currency as fact_currency,
      fact.subscription_mrr_cents,
      fact.usage_mrr_cents,
      fact.subscription_mrr_base_cents,
      fact.usage_mrr_base_cents,
      fact.subscription_fixed_on,
      fact.usage_fixed_on,
      case
        when fact.is_unpriced = true then 1
        else 0
      end as unpriced,
      case
        when fact.subscription_mrr_cents <> 0
        and fact.subscription_mrr_base_cents is null then 1
        else 0
      end as subscription_unrated,
      case
        when fact.usage_mrr_cents <> 0
        and fact.usage_mrr_base_cents is null then 1
        else 0
      end as usage_unrated,
      cast(coalesce(plan.plan_id, fact.plan) as text) as plan_id,
      cast(customer.customer_country as text) as customer_country,
      cohort.cohort_month as cohort_month,
      cast(
        case
          when fact.mrr_base_cents <= 0 then 'Free'
          when fact.mrr_base_cents < 10000 then '<$100'
          when fact.mrr_base_cents < 50000 then '$100-$500'
          when fact.mrr_base_cents < 100000 then '$500-$1000'
          when fact.mrr_base_cents < 500000 then '$1000-$5000'
          when fact.mrr_base_cents >= 500000 then '$5000+'
        end as text
      ) as mrr_band,
      case
        when (
          subscription.cancel_requested_at < $9::timestamp
          or (
            subscription.cancel_requested_at = $9::timestamp
            and not (1 = 1)
          )
        )
        and (
          subscription.cancel_at > $9::timestamp
          or (
            subscription.cancel_at = $9::timestamp
            and (1 = 1)
          )
        ) then true
        else false
      end as pending_cancellation
    from
      rel_mrr_span as fact
      left join (
        select
          stored.*
        from
          customer as stored
      ) as customer on customer.customer_key = fact.customer_key
      left join (
        select
          stored.*
        from
          subscription as stored
      ) as subscription on subscription.subscription_id = fact.subscription_id
      left join (
        select
          stored.*
        from
          plan as stored
      ) as plan on plan.plan_key = fact.plan_key
      left join (
        select
          span.customer_key,
          min(span.valid_from) as first_active_at,
          cast(date_trunc('month', cast(min(span.valid_from) as timestamp)) as date) as cohort_month
        from
          rel_mrr_span as span
        where
          span.is_live = true
        group by
          span.customer_key
      ) as cohort on cohort.customer_key = fact.customer_key
    where
      fact.valid_from < $10::timestamp
      and (
        fact.valid_to is null
        or fact.valid_to >= $10::timestamp
      )
      and ((cast(fact.currency as text)) in ($11::text, $12::text))
      and ((lower(cast(customer.customer_name as text)) like lower($13::text) escape '!'))
      and (
        (
          cast(customer.customer_name as text) is not null
          and cast(customer.customer_name as text) <> ''
        )
      )
      and (
        (
          (cast(date_trunc('month', cast(customer.created_at as timestamp)) as date)) >= $14::date
          and (cast(date_trunc('month', cast(customer.created_at as timestamp)) as date)) <= $15::date
        )
      )
      and ((cast(plan.plan_interval as text)) not in ($16::text, $17::text))
  )
select
  fact_currency,
  sum(subscription_mrr_cents) as subscription_cents,
  sum(usage_mrr_cents) as usage_cents,
  sum(subscription_mrr_base_cents) as subscription_base_cents,
  sum(usage_mrr_base_cents) as usage_base_cents,
  sum(unpriced) as unpriced_count,
  sum(subscription_unrated) as subscription_unrated_count,
  sum(usage_unrated) as usage_unrated_count,
  min(
    case
      when subscription_unrated = 1 then subscription_fixed_on
    end
  ) as subscription_unrated_from,
  max(
    case
      when subscription_unrated = 1 then subscription_fixed_on
    end
  ) as subscription_unrated_through,
  min(
    case
      when usage_unrated = 1 then usage_fixed_on
    end
  ) as usage_unrated_from,
  max(
    case
      when usage_unrated = 1 then usage_fixed_on
    end
  ) as usage_unrated_through,
  plan_id,
  customer_country,
  cohort_month,
  mrr_band,
  pending_cancellation
from
  measure
group by
  fact_currency,
  plan_id,
  customer_country,
  cohort_month,
  mrr_band,
  pending_cancellation
