-- metric: ledger
-- query:  bridge_rates
-- reads:  kept_stretch, agreed_stretch, fx_rate
-- param:  base_currency text
-- param:  rate_day date
-- param:  valued_on date
-- param:  last_on date
-- param:  first_day integer
-- param:  end_day integer
-- The step of exchange rates between MRR and revenue (D97), over the recurring revenue for the days from :first_day to the one before :end_day. It is that
-- revenue at the rates of its postings (R24), less that at the rates with which the agreed amounts are MRR (D12). A day without an agreed amount has the
-- rate of :last_on. A charge has the version of the last day. One that is recognized at once has no days.
with piece as (
  select stretch.subscription_id, stretch.currency, stretch.monthly_cents, stretch.first_day, stretch.end_day,
    coalesce(:valued_on, stretch.fixed_on) as rated_on, rate.rate
  from relation.agreed_stretch as stretch
  left join relation.fx_rate as rate on rate.currency = stretch.currency and rate.day = coalesce(:rate_day, :valued_on, stretch.fixed_on)
  where stretch.monthly_cents <> 0 and stretch.first_day < :end_day and stretch.end_day > :first_day
),
dated as (
  select stretch.customer_key, stretch.charge_id, stretch.subscription_id, stretch.currency, stretch.whole, stretch.net_cents,
    stretch.net_base_cents,
    case when stretch.starts_on > :first_day then stretch.starts_on else :first_day end as from_day,
    case when stretch.starts_on + stretch.days < :end_day then stretch.starts_on + stretch.days else :end_day end as to_day,
    case when :end_day < stretch.starts_on then 0 when :end_day - stretch.starts_on > stretch.days then stretch.days
      else :end_day - stretch.starts_on end as done_at,
    case when :first_day < stretch.starts_on then 0 when :first_day - stretch.starts_on > stretch.days then stretch.days
      else :first_day - stretch.starts_on end as done_before
  from relation.kept_stretch as stretch
  where stretch.charge_kind = 'recurring' and stretch.whole > 0 and stretch.currency <> :base_currency and stretch.known_from < :end_day
    and stretch.known_to >= :end_day
    and case when stretch.net_base_cents < 0 and stretch.charged_cents > 0 then 1
      when stretch.net_base_cents > 0 and stretch.charged_cents < 0 then 1 else 0 end = 0
),
summed as (
  select dated.*, sum(dated.done_at) over w as all_at, sum(dated.done_before) over w as all_before,
    case when dated.net_cents < 0 then -1 else 1 end as sign, case when dated.net_base_cents < 0 then -1 else 1 end as base_sign
  from dated
  window w as (partition by dated.charge_id)
),
earned as (
  select summed.customer_key, summed.charge_id, summed.subscription_id, summed.currency, summed.from_day, summed.to_day,
    summed.all_at - summed.all_before as all_days,
    fn.int_div(2 * summed.net_cents * summed.all_at + summed.sign * summed.whole, 2 * summed.whole)
      - fn.int_div(2 * summed.net_cents * summed.all_before + summed.sign * summed.whole, 2 * summed.whole) as cents,
    fn.int_div(2 * summed.net_base_cents * summed.all_at + summed.base_sign * summed.whole, 2 * summed.whole)
      - fn.int_div(2 * summed.net_base_cents * summed.all_before + summed.base_sign * summed.whole, 2 * summed.whole) as base_cents
  from summed
  where summed.done_at > summed.done_before
),
agreed as (
  select earned.*, fn.converted(earned.cents, closing.rate) as closing_cents, fn.converted(earned.cents, piece.rate) as own_cents,
    piece.rated_on,
    case when piece.subscription_id is null then 0
      else case when piece.end_day < earned.to_day then piece.end_day else earned.to_day end
        - case when piece.first_day > earned.from_day then piece.first_day else earned.from_day end end as own_days
  from earned
  left join piece on piece.subscription_id = earned.subscription_id and piece.currency = earned.currency
    and piece.first_day < earned.to_day and piece.end_day > earned.from_day
  left join relation.fx_rate as closing on closing.currency = earned.currency and closing.day = coalesce(:rate_day, :last_on)
),
charge as (
  select agreed.customer_key, agreed.charge_id, agreed.subscription_id, agreed.currency, agreed.base_cents, agreed.closing_cents, agreed.all_days,
    sum(agreed.own_days) as own_days, sum(case when agreed.own_days > 0 then agreed.own_days * agreed.own_cents else 0 end) as own_cents,
    max(case when agreed.own_days > 0 and agreed.own_cents is null then 1 else 0 end) as unrated,
    min(case when agreed.own_days > 0 and agreed.own_cents is null then agreed.rated_on end) as rated_from,
    max(case when agreed.own_days > 0 and agreed.own_cents is null then agreed.rated_on end) as rated_through
  from agreed
  group by agreed.customer_key, agreed.charge_id, agreed.subscription_id, agreed.currency, agreed.base_cents, agreed.closing_cents,
    agreed.all_days
),
valued as (
  select charge.*, case when charge.all_days = charge.own_days then charge.own_cents
      else charge.own_cents + (charge.all_days - charge.own_days) * charge.closing_cents end as days_cents,
    case when charge.all_days > charge.own_days and charge.closing_cents is null then 1 else 0 end as unclosed
  from charge
),
differing as (
  select valued.customer_key, valued.subscription_id, valued.currency,
    sum(valued.base_cents - fn.int_div(2 * valued.days_cents + case when valued.days_cents < 0 then -1 else 1 end * valued.all_days,
      2 * valued.all_days)) as base_cents,
    max(case when valued.unclosed = 1 then 1 else valued.unrated end) as unrated,
    min(case when valued.unclosed = 1 and valued.rated_from is null then :last_on else valued.rated_from end) as rated_from,
    max(case when valued.unclosed = 1 then :last_on else valued.rated_through end) as rated_through
  from valued
  group by valued.customer_key, valued.subscription_id, valued.currency
),
measure as (
  select fact.currency as fact_currency, fact.base_cents as amount_base_cents, fact.unrated, fact.rated_from, fact.rated_through
    /*{dimensions}*/
  from differing as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select fact_currency, sum(amount_base_cents) as amount_base_sum, 0 as unpriced_count, sum(unrated) as unrated_count,
  min(rated_from) as unrated_from, max(rated_through) as unrated_through
  /*{dimension_names}*/
from measure
group by fact_currency /*{group_by}*/
