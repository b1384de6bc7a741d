-- relation: kb_phase
-- param:    tenants integers
-- Numbers for the phase names in use: plan number × 10 + type of the phase (1 is a trial). Windows over numbers need less memory
-- than windows over text. A phase name is plan name, hyphen and type, so each number means one name. `plan` is cut to the length
-- of the engine's column, because MariaDB puts every table with text of unknown length on disk.
with used as (
  select distinct event.phase_name
  from subscription_events as event
  where event.tenant_record_id in (:tenants) and event.is_active = true and event.phase_name is not null
),
split as (
  select used.phase_name, substr(regexp_replace(used.phase_name, '-(trial|discount|fixedterm|evergreen)$', ''), 1, 255) as plan,
    case when used.phase_name like '%-trial' then 1 when used.phase_name like '%-discount' then 2
      when used.phase_name like '%-fixedterm' then 3 when used.phase_name like '%-evergreen' then 4 else 0 end as phase_type
  from used
)
select split.phase_name, split.plan, dense_rank() over (order by split.plan) * 10 + split.phase_type as phase_code
from split
