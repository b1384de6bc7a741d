-- metric: mrr
-- query:  current
-- reads:  mrr_span
-- param:  before timestamp
-- Levels just before :before (D4), the exclusive end of the requested day. Used by current, arr and components. The dimension
-- movement_source needs no separate rows, because each row has both components.
with measure as (
  select fact.currency as fact_currency, fact.subscription_mrr_cents, fact.usage_mrr_cents,
    fact.subscription_mrr_base_cents, fact.usage_mrr_base_cents, fact.subscription_fixed_on, fact.usage_fixed_on,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.subscription_mrr_cents <> 0 and fact.subscription_mrr_base_cents is null then 1 else 0 end as subscription_unrated,
    case when fact.usage_mrr_cents <> 0 and fact.usage_mrr_base_cents is null then 1 else 0 end as usage_unrated
    /*{dimensions}*/
  from relation.mrr_span as fact
  /*{joins}*/
  where fact.valid_from < :before and (fact.valid_to is null or fact.valid_to >= :before)
  /*{filters}*/
)
select fact_currency,
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
group by fact_currency /*{group_by}*/
