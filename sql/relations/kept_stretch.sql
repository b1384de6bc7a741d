-- relation: kept_stretch
-- reads:    ledger_charge, ledger_adjustment, fx_rate, month_step
-- param:    known_on date
-- param:    spread text
-- param:    one_off text
-- param:    unbilled text
-- param:    base_currency text
-- param:    rate_day date
-- What each charge has recognized on any day, as far as :known_on knows (R5 to R9, R22). A charge and its adjustments are one schedule with a version
-- for each day on which it changes. Most charges have one version and one stretch. Days that a repair covers are cut out of the versions that know it.
-- An adjustment without a charge is recognized at once. So is a charge whose net has another sign than the charge, and one without kept days.
with charge as (
  select charge.*, fn.day_number(charge.posted_on) as posted_day,
    case when charge.starts_on is null or charge.ends_on is null or charge.ends_on <= charge.starts_on
        or (charge.kind = 'fixed' and :one_off = 'at_once') then 1 else 0 end as is_one_day
  from relation.ledger_charge as charge
  where charge.kind <> 'tax' and charge.posted_on <= :known_on
),
served as (
  select charge.customer_key, charge.charge_id, charge.invoice_id, charge.subscription_id, charge.plan, charge.kind as charge_kind,
    charge.currency, charge.posted_on, charge.posted_day, charge.amount_cents, charge.amount_cents as charged_cents,
    case when charge.gone_on <= :known_on then fn.day_number(charge.gone_on) else 3000000 end as gone_day,
    case when charge.is_one_day = 0 then fn.day_number(charge.starts_on)
      when fn.day_number(charge.starts_on) > charge.posted_day then fn.day_number(charge.starts_on) else charge.posted_day end as first_day,
    case when charge.is_one_day = 0 then fn.day_number(charge.ends_on)
      when fn.day_number(charge.starts_on) > charge.posted_day then fn.day_number(charge.starts_on) + 1 else charge.posted_day + 1 end as end_day
  from charge
  union all
  select adjustment.customer_key, concat('adjustment ', adjustment.adjustment_id), adjustment.invoice_id, null, null, adjustment.kind,
    adjustment.currency, adjustment.posted_on, fn.day_number(adjustment.posted_on), adjustment.amount_cents, 0,
    case when adjustment.gone_on <= :known_on then fn.day_number(adjustment.gone_on) else 3000000 end, fn.day_number(adjustment.posted_on),
    fn.day_number(adjustment.posted_on) + 1
  from relation.ledger_adjustment as adjustment
  where adjustment.charge_id is null and adjustment.kind not in ('tax', 'credit') and adjustment.posted_on <= :known_on
),
known as (
  select served.*, case when :unbilled = 'accrue' and served.first_day < served.posted_day then served.first_day else served.posted_day end
    as known_day
  from served
),
adjusted as (
  select known.charge_id, known.currency, adjustment.adjustment_id, adjustment.amount_cents, adjustment.posted_on,
    case when fn.day_number(adjustment.posted_on) > known.known_day then fn.day_number(adjustment.posted_on) else known.known_day end as from_day,
    case when adjustment.gone_on <= :known_on then fn.day_number(adjustment.gone_on) else 3000000 end as to_day,
    case when adjustment.is_repair = true then fn.day_number(adjustment.starts_on) end as starts_day,
    case when adjustment.is_repair = true then fn.day_number(adjustment.ends_on) end as ends_day
  from relation.ledger_adjustment as adjustment
  join known on known.charge_id = adjustment.charge_id
  where adjustment.posted_on <= :known_on
),
part as (
  select known.charge_id, known.known_day as from_day, known.gone_day as to_day, known.amount_cents, known.currency, known.posted_on
  from known
  union all
  select adjusted.charge_id, adjusted.from_day, adjusted.to_day, adjusted.amount_cents, adjusted.currency, adjusted.posted_on
  from adjusted
),
rated as (
  select part.*, case when part.currency = :base_currency then part.amount_cents else fn.converted(part.amount_cents, rate.rate) end as base_cents
  from part
  left join relation.fx_rate as rate on rate.currency = part.currency and rate.day = coalesce(:rate_day, part.posted_on)
),
step as (
  select edge.charge_id, edge.day, sum(edge.amount_cents) as amount_cents, sum(edge.base_cents) as base_cents, sum(edge.unrated) as unrated
  from (
    select rated.charge_id, case side.step when 0 then rated.from_day else rated.to_day end as day,
      case side.step when 0 then rated.amount_cents else -rated.amount_cents end as amount_cents,
      case side.step when 0 then rated.base_cents else -rated.base_cents end as base_cents,
      case when rated.base_cents is null then 1 else 0 end as unrated
    from rated
    cross join (select 0 as step union all select 1) as side
    where rated.from_day < rated.to_day and (side.step = 0 or rated.to_day < 3000000)
  ) as edge
  group by edge.charge_id, edge.day
),
version as (
  select step.charge_id, step.day as known_from, coalesce(lead(step.day) over w, 3000000) as known_to,
    fn.integer(sum(step.amount_cents) over w) as net_cents, fn.integer(sum(step.base_cents) over w) as net_base_cents,
    sum(step.unrated) over w as unrated
  from step
  window w as (partition by step.charge_id order by step.day)
),
described as (
  select version.*, known.first_day, known.end_day, known.gone_day,
    case when version.known_from >= known.gone_day or version.net_cents * known.amount_cents < 0 then 1 else 0 end as is_at_once
  from version
  join known on known.charge_id = version.charge_id
),
cut as (
  select described.charge_id, described.known_from,
    case when adjusted.starts_day > described.first_day then adjusted.starts_day else described.first_day end as starts_day,
    case when adjusted.ends_day < described.end_day then adjusted.ends_day else described.end_day end as ends_day
  from described
  join adjusted on adjusted.charge_id = described.charge_id and adjusted.from_day <= described.known_from and adjusted.to_day > described.known_from
  where described.is_at_once = 0 and adjusted.starts_day < described.end_day and adjusted.ends_day > described.first_day
    and adjusted.starts_day < adjusted.ends_day
),
bound as (
  select cut.charge_id, cut.known_from, cut.starts_day as day, 1 as step from cut
  union all
  select cut.charge_id, cut.known_from, cut.ends_day, -1 from cut
  union all
  select described.charge_id, described.known_from, described.first_day, 0 from described where described.is_at_once = 0
  union all
  select described.charge_id, described.known_from, described.end_day, 0 from described where described.is_at_once = 0
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
select known.customer_key, known.charge_id, known.invoice_id, known.subscription_id, known.plan, known.charge_kind, known.currency,
  known.posted_on, known.posted_day, known.charged_cents,
  case when known.charged_cents = 0 or known.currency = :base_currency then known.charged_cents else fn.converted(known.charged_cents, rate.rate) end
    as charged_base_cents, described.known_from, described.known_to, described.net_cents, described.net_base_cents,
  case when described.unrated > 0 then 1 else 0 end as unrated, coalesce(stretch.whole, 0) as whole,
  coalesce(stretch.begins_on, -3000000) as begins_on, coalesce(stretch.next_on, 3000000) as next_on,
  coalesce(stretch.starts_on, described.known_from) as starts_on, coalesce(stretch.days, 0) as days, coalesce(stretch.days_before, 0) as days_before
from described
join known on known.charge_id = described.charge_id
left join stretch on stretch.charge_id = described.charge_id and stretch.known_from = described.known_from
left join relation.fx_rate as rate on rate.currency = known.currency and rate.day = coalesce(:rate_day, known.posted_on)
