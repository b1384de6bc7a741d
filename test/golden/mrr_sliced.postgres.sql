-- Every kind of dimension and filter.
-- mrr {"params":{"at":"2025-03-31"},"spec":{"dimensions":["plan_id","customer_country","cohort_month","mrr_band","pending_cancellation"],"filters":{"currency":["EUR","USD"],"customer_name":{"contains":"a_b","is_not_empty":true},"customer_created_month":{"between":["2024-01-01","2025-02-01"]},"plan_interval":{"not in":["day","week"]}}}}
/* plumbline mrr.current stored/postgres */
with
  rel_mrr_span as (
    select
      stored.*
    from
      mrr_span as stored
    where
      stored.valid_from <= $1::timestamp
      and (
        stored.valid_to is null
        or stored.valid_to >= $2::timestamp
      )
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
          subscription.cancel_requested_at < $3::timestamp
          or (
            subscription.cancel_requested_at = $3::timestamp
            and not (1 = 1)
          )
        )
        and (
          subscription.cancel_at > $3::timestamp
          or (
            subscription.cancel_at = $3::timestamp
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
      fact.valid_from < $4::timestamp
      and (
        fact.valid_to is null
        or fact.valid_to >= $4::timestamp
      )
      and ((cast(fact.currency as text)) in ($5::text, $6::text))
      and ((lower(cast(customer.customer_name as text)) like lower($7::text) escape '!'))
      and (
        (
          cast(customer.customer_name as text) is not null
          and cast(customer.customer_name as text) <> ''
        )
      )
      and (
        (
          (cast(date_trunc('month', cast(customer.created_at as timestamp)) as date)) >= $8::date
          and (cast(date_trunc('month', cast(customer.created_at as timestamp)) as date)) <= $9::date
        )
      )
      and ((cast(plan.plan_interval as text)) not in ($10::text, $11::text))
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
