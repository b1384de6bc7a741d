-- relation: kb_state
-- reads:    kb_fact
-- One row per instant of a subscription's life [b, e) that has rows in `kb_fact`: the facts in force from this instant on (KB
-- 2.3). The window treats rows of one instant as peers, so all of them apply before states are compared (D28).
with running as (
  select fact.customer_key, fact.subscription_key, fact.fact_at,
    lead(fact.fact_at) over w as next_at,
    min(fact.start_packed) over w as start_packed,
    max(case when fact.plan_packed is not null then fact.fact_at end) over w as plan_set_at,
    fn.integer(mod(max(fact.plan_packed) over w, 1000000)) as list_code,
    coalesce(fn.integer(mod(max(fact.phase_packed) over w, 100000000)), 0) as phase_code,
    fn.integer(mod(max(fact.quantity_packed) over w, 10000000000)) as quantity,
    coalesce(fn.integer(mod(max(fact.usage_packed) over w, 1000000000000000)), 0) as usage_mean_cents,
    fn.integer(sum(fact.block_step) over w) as block_depth,
    max(fact.short_closed_at) over w as short_closed_at,
    max(fact.short_overdue_closed_at) over w as short_overdue_closed_at,
    min(case when fact.end_rank is not null then fact.fact_at end) over (partition by fact.subscription_key) as ended_at,
    min(case when fact.end_rank is not null
      then fn.microseconds_between(timestamp '1970-01-01 00:00:00', fact.fact_at) * 10 + fact.end_rank end)
      over (partition by fact.subscription_key) as end_packed
  from relation.kb_fact as fact
  window w as (partition by fact.subscription_key order by fact.fact_at)
)
select running.customer_key, running.subscription_key, running.fact_at as state_at, running.next_at, running.ended_at,
  running.plan_set_at, fn.integer(mod(running.start_packed, 10)) as is_transferred, running.list_code, running.phase_code,
  case when running.quantity >= 1 then running.quantity else 1 end as quantity, running.usage_mean_cents,
  case when running.block_depth > 0 or running.short_closed_at > running.ended_at then 1 else 0 end as is_blocked,
  case when mod(running.block_depth, 1000000) > 0 or running.short_overdue_closed_at > running.ended_at then 1 else 0 end as is_overdue,
  fn.integer(mod(running.end_packed, 10)) as end_rank
from running
where running.start_packed is not null and (running.ended_at is null or running.fact_at < running.ended_at)
  and (running.next_at is null or running.next_at > running.fact_at)
