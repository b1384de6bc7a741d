-- relation: start_cohort
-- reads:    period_ledger
-- param:    all_customers boolean
-- The rows of sql/relations/start_cohort.sql, with joins in place of windows. Groups and joins by number are faster here than sorting texts, and
-- a CTE used several times is computed once.
with customer_start as (
  select period_index, customer_key, coalesce(sum(start_amount), 0) as customer_start,
    max(case when held_id is not null and (unpriced = 1 or unrated = 1) then 1 else 0 end) as customer_unknown
  from relation.period_ledger as entry
  group by period_index, customer_key
),
held as (
  select period_index, held_id, plan_key, plan, phase_type, price_list
  from relation.period_ledger as opening
  where held_id is not null and movement_source = 'subscription'
),
placed as (
  select entry.*, held.held_id as known_subscription_id, held.plan_key as known_plan_key, held.plan as known_plan,
    held.phase_type as known_phase_type, held.price_list as known_price_list, customer.customer_start, customer.customer_unknown
  from relation.period_ledger as entry
  join customer_start as customer on customer.period_index = entry.period_index and customer.customer_key = entry.customer_key
  left join held on held.period_index = entry.period_index and held.held_id = entry.subscription_id
)
select period_index, starts_at, customer_key, known_subscription_id as subscription_id, subscription_id as own_subscription_id,
  currency, known_plan_key as plan_key, known_plan as plan, known_phase_type as phase_type, known_price_list as price_list,
  movement_source, movement_type, occurred_at, ended_id, is_swap, is_switch, start_amount, amount, rate_base_cents,
  unpriced, unrated, fixed_on,
  case when customer_start > 0 or :all_customers = true then 1 else 0 end as is_member
from placed
where customer_start > 0 or customer_unknown = 1 or :all_customers = true
