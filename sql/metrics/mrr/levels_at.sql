-- metric: mrr
-- query:  levels_at
-- reads:  mrr_span, instant
-- param:  start timestamp
-- param:  end timestamp
-- Levels just before each instant of the request (D4). Used in place of series.sql for dimensions and filters whose value changes during a
-- span (tenure_months, pending_cancellation), because differences cannot be cumulated there.
with measure as (
  select instant.instant_index, fact.currency as fact_currency, fact.subscription_mrr_cents, fact.usage_mrr_cents,
    fact.subscription_mrr_base_cents, fact.usage_mrr_base_cents, fact.subscription_fixed_on, fact.usage_fixed_on,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.subscription_mrr_cents <> 0 and fact.subscription_mrr_base_cents is null then 1 else 0 end as subscription_unrated,
    case when fact.usage_mrr_cents <> 0 and fact.usage_mrr_base_cents is null then 1 else 0 end as usage_unrated
    /*{dimensions}*/
  from relation.mrr_span as fact
  join relation.instant as instant
    on fact.valid_from < instant.ends_before and (fact.valid_to is null or fact.valid_to >= instant.ends_before)
  /*{joins}*/
  where fact.valid_from < :end and (fact.valid_to is null or fact.valid_to >= :start)
    and (fact.mrr_cents <> 0 or fact.is_unpriced = true)
  /*{filters}*/
)
select instant_index, fact_currency,
  sum(subscription_mrr_cents) as subscription_cents, sum(usage_mrr_cents) as usage_cents,
  sum(subscription_mrr_base_cents) as subscription_base_cents, sum(usage_mrr_base_cents) as usage_base_cents,
  sum(unpriced) as unpriced_count,
  sum(subscription_unrated) as subscription_unrated_count, sum(usage_unrated) as usage_unrated_count,
  min(case when subscription_unrated = 1 then subscription_fixed_on end) as subscription_unrated_from,
  max(case when subscription_unrated = 1 then subscription_fixed_on end) as subscription_unrated_through,
  min(case when usage_unrated = 1 then usage_fixed_on end) as usage_unrated_from,
  max(case when usage_unrated = 1 then usage_fixed_on end) as usage_unrated_through
  /*{dimension_names}*/
from measure
group by instant_index, fact_currency /*{group_by}*/
