-- metric: ltv
-- query:  arpu
-- reads:  mrr_span, instant
-- param:  start timestamp
-- param:  end timestamp
-- param:  unit text
-- MRR and number of customers with MRR, just before each instant (D49). Used by arpu and the numerator of simple. A customer that pays in
-- several currencies counts once: base amounts have a currency only where they lack its rate.
with measure as (
  select instant.instant_index, fact.customer_key as member_key,
    case when :unit = 'base' and (fact.mrr_cents = 0 or fact.mrr_base_cents is not null) then null else fact.currency end as fact_currency,
    case when :unit = 'base' then fact.mrr_base_cents else fact.mrr_cents end as amount,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.mrr_cents <> 0 and fact.mrr_base_cents is null then 1 else 0 end as unrated,
    case when fact.subscription_mrr_cents <> 0 and fact.subscription_mrr_base_cents is null then fact.subscription_fixed_on
      else fact.usage_fixed_on end as fixed_on
    /*{dimensions}*/
  from relation.mrr_span as fact
  join relation.instant as instant
    on fact.valid_from < instant.ends_before and (fact.valid_to is null or fact.valid_to >= instant.ends_before)
  /*{joins}*/
  where fact.valid_from < :end and (fact.valid_to is null or fact.valid_to >= :start)
    and (fact.mrr_cents <> 0 or fact.is_unpriced = true)
  /*{filters}*/
),
payer as (
  select instant_index, fact_currency, sum(amount) as amount, sum(unpriced) as unpriced, sum(unrated) as unrated,
    min(case when unrated = 1 then fixed_on end) as unrated_from, max(case when unrated = 1 then fixed_on end) as unrated_through
    /*{dimension_names}*/
  from measure
  group by instant_index, member_key, fact_currency /*{group_by}*/
)
select instant_index, fact_currency, sum(amount) as mrr_sum, sum(case when amount > 0 then 1 else 0 end) as payer_count,
  sum(unpriced) as unpriced_count, sum(unrated) as unrated_count, min(unrated_from) as unrated_from, max(unrated_through) as unrated_through
  /*{dimension_names}*/
from payer
group by instant_index, fact_currency /*{group_by}*/
