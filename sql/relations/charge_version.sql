-- relation: charge_version
-- reads:    charge_part, ledger_adjustment, fx_rate
-- param:    base_currency text
-- param:    rate_day date
-- Sums of each charge and its adjustments, from each day on which they change (R5, R8). Base amounts have the rate of each posting (R24). A
-- charge that left by a void is recognized at once, and so is one whose net has another sign than the charge (R9). A version has the facts of its
-- charge, so that no reader looks them up: MariaDB and MySQL would compute the parts once more. A plain charge, without
-- an adjustment and a void, has one version. Nearly all charges are, and need no window over their rows.
with adjusted as (
  select distinct adjustment.charge_id
  from relation.ledger_adjustment as adjustment
  where adjustment.charge_id is not null
),
rated as (
  select part.*,
    case when part.is_charge = 1 and part.charged_cents <> 0 and part.to_day = 3000000 and adjusted.charge_id is null then 1 else 0 end as is_plain,
    case when part.part_currency = :base_currency then part.amount_cents else fn.converted(part.amount_cents, rate.rate) end as base_cents
  from relation.charge_part as part
  left join adjusted on adjusted.charge_id = part.charge_id
  left join relation.fx_rate as rate on rate.currency = part.part_currency and rate.day = coalesce(:rate_day, part.part_on)
  where part.from_day < part.to_day or (part.from_day = part.to_day and part.is_charge = 1)
),
edge as (
  select rated.charge_id, rated.customer_key, rated.invoice_id, rated.subscription_id, rated.plan, rated.charge_kind, rated.currency,
    rated.posted_on, rated.posted_day, rated.charged_cents, rated.first_day, rated.end_day, rated.gone_day,
    case side.step when 0 then rated.from_day else rated.to_day end as day,
    case side.step when 0 then rated.amount_cents else -rated.amount_cents end as amount_cents,
    case side.step when 0 then rated.base_cents else -rated.base_cents end as base_cents, case when rated.base_cents is null then 1 else 0 end as unrated
  from rated
  cross join (select 0 as step union all select 1) as side
  where rated.is_plain = 0 and (side.step = 0 or rated.to_day < 3000000)
),
step as (
  select edge.charge_id, edge.customer_key, edge.day, max(edge.invoice_id) as invoice_id,
    max(edge.subscription_id) as subscription_id, max(edge.plan) as plan, max(edge.charge_kind) as charge_kind, max(edge.currency) as currency,
    max(edge.posted_on) as posted_on, max(edge.posted_day) as posted_day, max(edge.charged_cents) as charged_cents,
    max(edge.first_day) as first_day, max(edge.end_day) as end_day, max(edge.gone_day) as gone_day, sum(edge.amount_cents) as amount_cents,
    sum(edge.base_cents) as base_cents, sum(edge.unrated) as unrated
  from edge
  group by edge.charge_id, edge.customer_key, edge.day
),
version as (
  select step.*, coalesce(lead(step.day) over w, 3000000) as known_to, fn.integer(sum(step.amount_cents) over w) as net_cents,
    fn.integer(sum(step.base_cents) over w) as net_base_cents, fn.integer(sum(step.unrated) over w) as unrated_parts
  from step
  window w as (partition by step.charge_id order by step.day)
)
select version.charge_id, version.customer_key, version.invoice_id, version.subscription_id, version.plan, version.charge_kind, version.currency,
  version.posted_on, version.posted_day, version.charged_cents, version.day as known_from, version.known_to, version.net_cents,
  version.net_base_cents, version.unrated_parts as unrated, version.first_day, version.end_day,
  case when version.day >= version.gone_day or (version.net_cents < 0 and version.charged_cents >= 0)
    or (version.net_cents > 0 and version.charged_cents <= 0) then 1 else 0 end as is_at_once, 0 as is_plain
from version
union all
select rated.charge_id, rated.customer_key, rated.invoice_id, rated.subscription_id, rated.plan, rated.charge_kind, rated.currency,
  rated.posted_on, rated.posted_day, rated.charged_cents, rated.from_day, 3000000, rated.amount_cents, rated.base_cents,
  case when rated.base_cents is null then 1 else 0 end, rated.first_day, rated.end_day, 0, 1
from rated
where rated.is_plain = 1
