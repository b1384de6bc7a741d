-- Two segments over one scan: the attribute joined once, the plan looked at once.
-- mrr {"params":{"at":"2025-03-31"},"spec":{"compare":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000002"]}}
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
      cast(seg.segment_id as text) as segment_id
    from
      rel_mrr_span as fact
      join (
        select
          customer.customer_key,
          branch.segment_id
        from
          (
            select
              stored.*
            from
              customer as stored
          ) as customer
          left join (
            select
              $9::text as customer_id,
              $10::text as attribute_value
            where
              1 = 0
          ) as ca_1 on ca_1.customer_id = customer.customer_id
          left join (
            select
              fact.customer_key,
              max(
                case
                  when ((cast(plan.plan_interval as text)) = $11::text) then 1
                  else 0
                end
              ) as met_1
            from
              rel_mrr_span as fact
              left join (
                select
                  stored.*
                from
                  plan as stored
              ) as plan on plan.plan_key = fact.plan_key
            where
              fact.valid_from < $12::timestamp
              and (
                fact.valid_to is null
                or fact.valid_to >= $12::timestamp
              )
            group by
              fact.customer_key
          ) as held on held.customer_key = customer.customer_key
          cross join (
            select
              $13::text as segment_id
            union all
            select
              $14::text as segment_id
          ) as branch
        where
          (
            (
              branch.segment_id = $15::text
              and (
                ((cast(ca_1.attribute_value as text)) = $16::text)
                and ((cast(customer.customer_country as text)) in ($17::text, $18::text))
              )
            )
            or (
              branch.segment_id = $19::text
              and (
                held.met_1 = 1
                or (
                  (
                    cast(ca_1.attribute_value as text) is null
                    or cast(ca_1.attribute_value as text) = ''
                  )
                )
              )
            )
          )
      ) as seg on seg.customer_key = fact.customer_key
    where
      fact.valid_from < $20::timestamp
      and (
        fact.valid_to is null
        or fact.valid_to >= $20::timestamp
      )
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
  segment_id
from
  measure
group by
  fact_currency,
  segment_id
