-- metric: summary
-- query:  forecast
-- reads:  mrr_span
-- param:  before timestamp
-- MRR of the subscriptions in a trial just before :before, at the first instant at which they are active, and MRR just before :before of the
-- subscriptions that end later (D80). Spans from :before on are those of a forecast. A transfer to another customer is no end.
with ahead as (
  select span.*, case when span.valid_from < :before then 1 else 0 end as is_held
  from relation.mrr_span as span
  where span.valid_to is null or span.valid_to >= :before
),
marked as (
  select ahead.*,
    max(case when is_held = 1 and is_trial = true then 1 else 0 end) over s as in_trial,
    min(case when status = 'active' then valid_from end) over s as active_from,
    max(case when end_reason <> 'bundle_transfer' then 1 else 0 end) over s as is_ending
  from ahead
  window s as (partition by subscription_id)
),
measure as (
  select fact.currency as fact_currency, fact.mrr_cents, fact.mrr_base_cents,
    case when fact.in_trial = 1 and fact.valid_from = fact.active_from then 1 else 0 end as is_conversion,
    case when fact.is_held = 1 and fact.is_ending = 1 then 1 else 0 end as is_lost,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.mrr_cents <> 0 and fact.mrr_base_cents is null then 1 else 0 end as unrated,
    case when fact.subscription_mrr_cents <> 0 and fact.subscription_mrr_base_cents is null then fact.subscription_fixed_on
      else fact.usage_fixed_on end as fixed_on
    /*{dimensions}*/
  from marked as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select fact_currency, sum(case when is_conversion = 1 then mrr_base_cents else 0 end) as trial_sum,
  sum(case when is_lost = 1 then mrr_base_cents else 0 end) as ending_sum, sum(unpriced) as unpriced_count,
  sum(unrated) as unrated_count, min(case when unrated = 1 then fixed_on end) as unrated_from,
  max(case when unrated = 1 then fixed_on end) as unrated_through
  /*{dimension_names}*/
from measure
where is_conversion = 1 or is_lost = 1
group by fact_currency /*{group_by}*/
