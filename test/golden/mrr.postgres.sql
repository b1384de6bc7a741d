-- The smallest scope: one relation, no slot filled.
-- mrr {"params":{"at":"2025-03-31"}}
/* plumbline mrr.current stored/postgres */
with
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
      end as usage_unrated
    from
      (
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
      ) as fact
    where
      fact.valid_from < $3::timestamp
      and (
        fact.valid_to is null
        or fact.valid_to >= $3::timestamp
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
  ) as usage_unrated_through
from
  measure
group by
  fact_currency
