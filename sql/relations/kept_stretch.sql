-- relation: kept_stretch
-- reads:    charge_part, charge_version, fx_rate, month_step
-- param:    spread text
-- param:    base_currency text
-- param:    rate_day date
-- The kept days of each version of a charge (R6). Days that a repair covers are cut out of the versions that know it. With :spread = month, a month is
-- one step, which counts on its first day. A version that is recognized at once, or that keeps no day, has one row without days. A plain charge keeps
-- all its days.
with bound as (
  select version.*, case side.step when 0 then version.first_day when 1 then version.end_day when 2 then repair.cut_from else repair.cut_to end as day,
    case side.step when 2 then 1 when 3 then -1 else 0 end as step
  from relation.charge_version as version
  left join relation.charge_part as repair on repair.charge_id = version.charge_id and repair.cut_from < repair.cut_to
    and repair.from_day <= version.known_from and repair.to_day > version.known_from
  cross join (select 0 as step union all select 1 union all select 2 union all select 3) as side
  where version.is_plain = 0 and (side.step < 2 or (repair.charge_id is not null and version.is_at_once = 0))
),
edge as (
  select bound.charge_id, bound.customer_key, bound.known_from, bound.day, sum(bound.step) as step,
    max(bound.invoice_id) as invoice_id, max(bound.subscription_id) as subscription_id, max(bound.plan) as plan,
    max(bound.charge_kind) as charge_kind, max(bound.currency) as currency, max(bound.posted_on) as posted_on, max(bound.posted_day) as posted_day,
    max(bound.charged_cents) as charged_cents, max(bound.known_to) as known_to, max(bound.net_cents) as net_cents,
    max(bound.net_base_cents) as net_base_cents, max(bound.unrated) as unrated, max(bound.is_at_once) as is_at_once
  from bound
  group by bound.charge_id, bound.customer_key, bound.known_from, bound.day
),
piece as (
  select edge.*, lead(edge.day) over w as ends_day, sum(edge.step) over w as repairs
  from edge
  window w as (partition by edge.charge_id, edge.known_from order by edge.day)
),
measured as (
  select piece.*, case when piece.repairs = 0 then piece.ends_day - piece.day else 0 end as days,
    case when piece.repairs = 0 then piece.day end as kept_from, case when piece.repairs = 0 then piece.ends_day end as kept_to
  from piece
  where piece.ends_day is not null
),
cut as (
  select measured.*, fn.integer(sum(measured.days) over v) as whole_days, fn.integer(sum(measured.days) over s) as days_through,
    min(measured.kept_from) over v as first_kept, max(measured.kept_to) over v as end_kept, row_number() over s as place,
    min(measured.kept_from) over (partition by measured.charge_id, measured.known_from order by measured.day
      rows between 1 following and unbounded following) as next_kept
  from measured
  window v as (partition by measured.charge_id, measured.known_from),
    s as (partition by measured.charge_id, measured.known_from order by measured.day)
),
numbered as (
  select cut.charge_id, cut.customer_key, cut.known_from, cut.day, cut.invoice_id, cut.subscription_id, cut.plan, cut.charge_kind, cut.currency,
    cut.posted_on, cut.posted_day, cut.charged_cents, cut.known_to, cut.net_cents, cut.net_base_cents, cut.unrated, cut.is_at_once, cut.repairs,
    cut.days, cut.whole_days, cut.days_through, cut.first_kept, cut.end_kept, cut.place, cut.next_kept
  from cut
  union all
  select version.charge_id, version.customer_key, version.known_from, version.first_day, version.invoice_id, version.subscription_id, version.plan,
    version.charge_kind, version.currency, version.posted_on, version.posted_day, version.charged_cents, version.known_to, version.net_cents,
    version.net_base_cents, version.unrated, 0, 0, version.end_day - version.first_day, version.end_day - version.first_day,
    version.end_day - version.first_day, version.first_day, version.end_day, 1, null
  from relation.charge_version as version
  where version.is_plain = 1
),
kept as (
  select numbered.*, case when numbered.is_at_once = 1 or numbered.whole_days = 0 then 0 else 1 end as is_spread,
    case when :spread = 'month' then cast(fn.add_period(date '1970-01-01', 0, numbered.first_kept) as date) end as first_on,
    case when :spread = 'month' then cast(fn.add_period(date '1970-01-01', 0, numbered.end_kept) as date) end as end_on
  from numbered
  where (numbered.place = 1 and (numbered.is_at_once = 1 or numbered.whole_days = 0))
    or (numbered.repairs = 0 and numbered.is_at_once = 0 and (:spread = 'day' or numbered.day = numbered.first_kept))
),
monthly as (
  select kept.*, fn.months_between(kept.first_on, kept.end_on)
    + case when cast(fn.add_period(kept.first_on, fn.months_between(kept.first_on, kept.end_on), 0) as date) >= kept.end_on then 0 else 1 end as months
  from kept
),
stretch as (
  select monthly.*, month_step.step as month_index,
    case when month_step.step is not null then fn.day_number(fn.add_period(monthly.first_on, month_step.step, 0)) else monthly.day end as starts_day,
    case when month_step.step is null then monthly.next_kept
      when month_step.step + 1 < monthly.months then fn.day_number(fn.add_period(monthly.first_on, month_step.step + 1, 0)) end as next_day
  from monthly
  left join relation.month_step as month_step on month_step.step < monthly.months
    and month_step.span = case when :spread = 'month' and monthly.is_spread = 1 then case when monthly.months > 60 then 0 else monthly.months end end
)
select stretch.customer_key, stretch.charge_id, stretch.invoice_id, stretch.subscription_id, stretch.plan, stretch.charge_kind, stretch.currency,
  stretch.posted_on, stretch.posted_day, stretch.charged_cents,
  case when stretch.charged_cents = 0 or stretch.currency = :base_currency then stretch.charged_cents
    else fn.converted(stretch.charged_cents, rate.rate) end as charged_base_cents,
  stretch.known_from, stretch.known_to, stretch.net_cents, stretch.net_base_cents, case when stretch.unrated > 0 then 1 else 0 end as unrated,
  case when stretch.is_spread = 0 then 0 when stretch.month_index is not null then stretch.months else stretch.whole_days end as whole,
  case when stretch.is_spread = 1 and (stretch.month_index > 0 or (stretch.month_index is null and stretch.day > stretch.first_kept))
    then stretch.starts_day else -3000000 end as begins_on,
  case when stretch.is_spread = 1 then coalesce(stretch.next_day, 3000000) else 3000000 end as next_on,
  case when stretch.is_spread = 1 then stretch.starts_day else stretch.known_from end as starts_on,
  case when stretch.is_spread = 0 then 0 when stretch.month_index is not null then 1 else stretch.days end as days,
  case when stretch.is_spread = 0 then 0 when stretch.month_index is not null then stretch.month_index
    else stretch.days_through - stretch.days end as days_before
from stretch
left join relation.fx_rate as rate on rate.currency = stretch.currency and rate.day = coalesce(:rate_day, stretch.posted_on)
