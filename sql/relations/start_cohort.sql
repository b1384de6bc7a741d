-- relation: start_cohort
-- reads:    period_ledger
-- param:    all_customers boolean
-- Parts of the ratios on a start cohort, per period: the MRR just before it and the movements in it. Plan columns are those just
-- before the period, also on movements, and null if the subscription had no span then (D61). Unless :all_customers is true, only
-- customers with MRR just before the period are included. Rows of start MRR come first in `s`. Their values are taken by place, because
-- PostgreSQL has no maximum of keys that are UUIDs.
with placed as (
  select entry.*, first_value(held_id) over s as known_subscription_id, first_value(plan_key) over s as known_plan_key,
    first_value(plan) over s as known_plan, first_value(phase_type) over s as known_phase_type,
    first_value(price_list) over s as known_price_list,
    coalesce(sum(start_amount) over c, 0) as customer_start,
    max(case when held_id is not null and (unpriced = 1 or unrated = 1) then 1 else 0 end) over c as customer_unknown
  from relation.period_ledger as entry
  window s as (partition by period_index, customer_key, subscription_id order by case when held_id is null then 1 else 0 end),
    c as (partition by period_index, customer_key)
)
select period_index, starts_at, customer_key, known_subscription_id as subscription_id, subscription_id as own_subscription_id,
  currency, known_plan_key as plan_key, known_plan as plan, known_phase_type as phase_type, known_price_list as price_list,
  movement_source, movement_type, occurred_at, ended_id, is_swap, is_switch, start_amount, amount, rate_base_cents,
  unpriced, unrated, fixed_on,
  case when customer_start > 0 or :all_customers = true then 1 else 0 end as is_member
from placed
where customer_start > 0 or customer_unknown = 1 or :all_customers = true
