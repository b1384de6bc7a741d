-- metric: retention
-- query:  nrr
-- reads:  start_cohort
-- param:  unit text
-- param:  counts_returned boolean
-- Retained MRR of the start cohort per period, capped per customer, and its parts without the cap (D45). A swap group counts by its net
-- amount. It has one kind, and one currency unless it is a currency switch (D85). MRR that came back by reactivation has a separate sum and
-- separate counts of gaps. Unless :counts_returned is true, no rate depends on it. A customer that pays in several currencies counts once: base
-- amounts have a `fact_currency` only where they lack its rate. Used by nrr and grr.
with measure as (
  select fact.period_index, fact.customer_key as member_key, fact.fixed_on,
    case when :unit = 'base' and fact.unrated = 0 then null else fact.currency end as fact_currency,
    fact.movement_type as kind, case when fact.is_swap = 1 then fact.occurred_at end as swapped_at,
    case when fact.is_swap = 1 then fact.movement_type end as swap_kind,
    case when fact.is_swap = 1 and fact.is_switch = 0 then fact.currency end as swap_currency,
    case when fact.is_member = 1 then fact.start_amount else 0 end as start_part,
    case when fact.is_member = 1 and (fact.movement_type in ('expansion', 'contraction', 'churn')
      or (fact.movement_type = 'reactivation' and :counts_returned = true)) then fact.amount else 0 end as part,
    case when fact.is_member = 1 and fact.movement_type = 'reactivation' then coalesce(fact.amount, 0) else 0 end as returned,
    case when fact.movement_type = 'reactivation' and :counts_returned = false then 0 else fact.unpriced end as unpriced,
    case when fact.movement_type = 'reactivation' and :counts_returned = false then 0 else fact.unrated end as unrated,
    case when fact.is_member = 1 and fact.movement_type = 'reactivation' then fact.unpriced else 0 end as returned_unpriced,
    case when fact.is_member = 1 and fact.movement_type = 'reactivation' then fact.unrated else 0 end as returned_unrated
    /*{dimensions}*/
  from relation.start_cohort as fact
  /*{joins}*/
  where (fact.movement_type is null or fact.movement_type in ('expansion', 'contraction', 'churn', 'reactivation'))
  /*{filters}*/
),
netted as (
  select period_index, member_key, fact_currency, sum(start_part) as start_part,
    case when swapped_at is null then sum(case when part > 0 then part else 0 end)
      when sum(part) > 0 then sum(part) else 0 end as gain,
    case when swapped_at is null then sum(case when part < 0 then -part else 0 end)
      when sum(part) < 0 then -sum(part) else 0 end as loss,
    sum(case when kind = 'expansion' then part else 0 end) as expansion,
    sum(case when kind = 'contraction' then part else 0 end) as contraction,
    sum(case when kind = 'churn' then part else 0 end) as churn,
    sum(returned) as returned, sum(returned_unpriced) as returned_unpriced, sum(returned_unrated) as returned_unrated,
    sum(unpriced) as unpriced, sum(unrated) as unrated,
    min(case when unrated = 1 then fixed_on end) as unrated_from, max(case when unrated = 1 then fixed_on end) as unrated_through
    /*{dimension_names}*/
  from measure
  group by period_index, member_key, fact_currency, swap_currency, swap_kind, swapped_at /*{group_by}*/
),
customer_part as (
  select period_index, fact_currency, sum(start_part) as start_part, sum(gain) as gain, sum(loss) as loss,
    sum(expansion) as expansion, sum(contraction) as contraction, sum(churn) as churn,
    sum(returned) as returned, sum(returned_unpriced) as returned_unpriced, sum(returned_unrated) as returned_unrated,
    sum(unpriced) as unpriced, sum(unrated) as unrated, min(unrated_from) as unrated_from, max(unrated_through) as unrated_through
    /*{dimension_names}*/
  from netted
  group by period_index, member_key, fact_currency /*{group_by}*/
)
select period_index, fact_currency, sum(start_part) as start_sum,
  sum(case when start_part + gain - loss > 0 then start_part + gain - loss else 0 end) as net_sum,
  sum(case when start_part - loss > 0 then start_part - loss else 0 end) as gross_sum,
  sum(expansion) as expansion_sum, sum(contraction) as contraction_sum, sum(churn) as churn_sum,
  sum(returned) as returned_sum, sum(returned_unpriced) as returned_unpriced_count, sum(returned_unrated) as returned_unrated_count,
  sum(unpriced) as unpriced_count, sum(unrated) as unrated_count, min(unrated_from) as unrated_from, max(unrated_through) as unrated_through
  /*{dimension_names}*/
from customer_part
group by period_index, fact_currency /*{group_by}*/
