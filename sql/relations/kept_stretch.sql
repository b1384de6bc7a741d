-- relation: kept_stretch
-- reads:    charge_part, charge_version, fx_rate, month_step
-- param:    spread text
-- param:    base_currency text
-- param:    rate_day date
-- The kept days of each version of a charge (R6). Days that a repair covers are cut out of the versions that know it. With :spread = month, a month is
-- one step, which counts on its first day.
with bound as (
  select version.charge_id, version.known_from,
    case side.step when 0 then version.first_day when 1 then version.end_day when 2 then repair.cut_from else repair.cut_to end as day,
    case side.step when 2 then 1 when 3 then -1 else 0 end as step
  from relation.charge_version as version
  left join relation.charge_part as repair on repair.charge_id = version.charge_id and repair.cut_from < repair.cut_to
    and repair.from_day <= version.known_from and repair.to_day > version.known_from
  cross join (select 0 as step union all select 1 union all select 2 union all select 3) as side
  where version.is_at_once = 0 and (side.step < 2 or repair.charge_id is not null)
),
edge as (
  select bound.charge_id, bound.known_from, bound.day, sum(bound.step) as step
  from bound
  group by bound.charge_id, bound.known_from, bound.day
),
piece as (
  select edge.charge_id, edge.known_from, edge.day as starts_day, lead(edge.day) over w as ends_day, sum(edge.step) over w as repairs
  from edge
  window w as (partition by edge.charge_id, edge.known_from order by edge.day)
),
kept as (
  select piece.charge_id, piece.known_from, piece.starts_day, piece.ends_day,
    fn.integer(sum(piece.ends_day - piece.starts_day) over (partition by piece.charge_id, piece.known_from)) as whole,
    fn.integer(sum(piece.ends_day - piece.starts_day) over s) as days_through, row_number() over s as place,
    lead(piece.starts_day) over s as next_day, min(piece.starts_day) over (partition by piece.charge_id, piece.known_from) as first_kept,
    max(piece.ends_day) over (partition by piece.charge_id, piece.known_from) as end_kept
  from piece
  where piece.repairs = 0 and piece.ends_day is not null
  window s as (partition by piece.charge_id, piece.known_from order by piece.starts_day)
),
counted_month as (
  select kept.charge_id, kept.known_from, cast(fn.add_period(date '1970-01-01', 0, kept.first_kept) as date) as first_on,
    cast(fn.add_period(date '1970-01-01', 0, kept.end_kept) as date) as end_on
  from kept
  where :spread = 'month' and kept.place = 1
),
monthly as (
  select counted_month.*, fn.months_between(counted_month.first_on, counted_month.end_on)
    + case when cast(fn.add_period(counted_month.first_on, fn.months_between(counted_month.first_on, counted_month.end_on), 0) as date)
      >= counted_month.end_on then 0 else 1 end as whole
  from counted_month
),
month_piece as (
  select monthly.charge_id, monthly.known_from, monthly.whole, month_step.step,
    fn.day_number(fn.add_period(monthly.first_on, month_step.step, 0)) as starts_day
  from monthly
  join relation.month_step as month_step on month_step.span = case when monthly.whole > 60 then 0 else monthly.whole end
    and month_step.step < monthly.whole
),
stretch as (
  select kept.charge_id, kept.known_from, kept.whole, case when kept.place = 1 then -3000000 else kept.starts_day end as begins_on,
    coalesce(kept.next_day, 3000000) as next_on, kept.starts_day as starts_on, kept.ends_day - kept.starts_day as days,
    kept.days_through - (kept.ends_day - kept.starts_day) as days_before
  from kept
  where :spread = 'day'
  union all
  select month_piece.charge_id, month_piece.known_from, month_piece.whole,
    case when month_piece.step = 0 then -3000000 else month_piece.starts_day end,
    coalesce(lead(month_piece.starts_day) over (partition by month_piece.charge_id, month_piece.known_from order by month_piece.step), 3000000),
    month_piece.starts_day, 1, month_piece.step
  from month_piece
)
select charge.customer_key, charge.charge_id, charge.invoice_id, charge.subscription_id, charge.plan, charge.charge_kind, charge.currency,
  charge.posted_on, charge.posted_day, charge.charged_cents,
  case when charge.charged_cents = 0 or charge.currency = :base_currency then charge.charged_cents
    else fn.converted(charge.charged_cents, rate.rate) end as charged_base_cents,
  version.known_from, version.known_to, version.net_cents, version.net_base_cents, case when version.unrated > 0 then 1 else 0 end as unrated,
  coalesce(stretch.whole, 0) as whole, coalesce(stretch.begins_on, -3000000) as begins_on, coalesce(stretch.next_on, 3000000) as next_on,
  coalesce(stretch.starts_on, version.known_from) as starts_on, coalesce(stretch.days, 0) as days, coalesce(stretch.days_before, 0) as days_before
from relation.charge_version as version
join relation.charge_part as charge on charge.charge_id = version.charge_id and charge.is_charge = 1
left join stretch on stretch.charge_id = version.charge_id and stretch.known_from = version.known_from
left join relation.fx_rate as rate on rate.currency = charge.currency and rate.day = coalesce(:rate_day, charge.posted_on)
