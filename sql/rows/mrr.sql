-- metric: rows
-- query:  mrr
-- reads:  mrr_span, customer
-- param:  before timestamp
-- unsliced
-- MRR just before :before, by source and currency (D4, D30), with its gaps.
with measure as (
  select customer.source_id, fact.currency, fact.mrr_cents, fact.mrr_base_cents,
    case when fact.is_unpriced = true then 1 else 0 end as unpriced,
    case when fact.subscription_mrr_cents <> 0 and fact.subscription_mrr_base_cents is null then fact.subscription_fixed_on
      when fact.usage_mrr_cents <> 0 and fact.usage_mrr_base_cents is null then fact.usage_fixed_on end as unrated_on
  from relation.mrr_span as fact
  join relation.customer as customer on customer.customer_key = fact.customer_key
  where fact.valid_from < :before and (fact.valid_to is null or fact.valid_to >= :before)
)
select source_id, currency, sum(mrr_cents) as mrr_cents, sum(mrr_base_cents) as mrr_base_cents, sum(unpriced) as unpriced_count,
  count(unrated_on) as unrated_count, min(unrated_on) as unrated_from, max(unrated_on) as unrated_through
from measure
group by source_id, currency
