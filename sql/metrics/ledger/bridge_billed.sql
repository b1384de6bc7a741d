-- metric: ledger
-- query:  bridge_billed
-- reads:  billed_stretch, agreed_stretch, fx_rate
-- param:  base_currency text
-- param:  rate_day date
-- param:  valued_on date
-- param:  last_on date
-- param:  first_day integer
-- param:  end_day integer
-- The billed amount of each subscription as the mean over the days from :first_day to the one before :end_day (D97), rounded once. A day has the rate of
-- what is agreed on it, and that of :last_on if nothing is. An item with an unknown billing period counts as agreed.
with piece as (
  select stretch.subscription_id, stretch.currency, stretch.monthly_cents, stretch.first_day, stretch.end_day,
    coalesce(:valued_on, stretch.fixed_on) as rated_on, rate.rate
  from relation.agreed_stretch as stretch
  left join relation.fx_rate as rate on rate.currency = stretch.currency and rate.day = coalesce(:rate_day, :valued_on, stretch.fixed_on)
  where stretch.monthly_cents <> 0 and stretch.first_day < :end_day and stretch.end_day > :first_day
),
billed as (
  select stretch.customer_key, stretch.subscription_id, stretch.item_key, stretch.starts_on, stretch.currency, stretch.monthly_cents,
    case when fn.day_number(stretch.starts_on) > :first_day then fn.day_number(stretch.starts_on) else :first_day end as from_day,
    case when fn.day_number(stretch.ends_on) < :end_day then fn.day_number(stretch.ends_on) else :end_day end as to_day,
    case when coalesce(stretch.monthly_cents, 0) = 0 or stretch.currency = :base_currency then coalesce(stretch.monthly_cents, 0)
      else fn.converted(stretch.monthly_cents, closing.rate) end as closing_cents
  from relation.billed_stretch as stretch
  left join relation.fx_rate as closing on closing.currency = stretch.currency and closing.day = coalesce(:rate_day, :last_on)
  where stretch.kind = 'recurring' and stretch.invoice_status = 'committed' and fn.day_number(stretch.starts_on) < :end_day and fn.day_number(stretch.ends_on) > :first_day
),
agreed as (
  select billed.*, piece.rated_on, coalesce(billed.monthly_cents, piece.monthly_cents) as own_cents,
    case when billed.currency = :base_currency then coalesce(billed.monthly_cents, piece.monthly_cents)
      else fn.converted(coalesce(billed.monthly_cents, piece.monthly_cents), piece.rate) end as own_base_cents,
    case when piece.subscription_id is null then 0
      else case when piece.end_day < billed.to_day then piece.end_day else billed.to_day end
        - case when piece.first_day > billed.from_day then piece.first_day else billed.from_day end end as own_days
  from billed
  left join piece on piece.subscription_id = billed.subscription_id and piece.currency = billed.currency
    and piece.first_day < billed.to_day and piece.end_day > billed.from_day
),
item as (
  select agreed.customer_key, agreed.subscription_id, agreed.item_key, agreed.starts_on, agreed.currency, agreed.closing_cents,
    agreed.to_day - agreed.from_day as days, coalesce(agreed.monthly_cents, 0) as monthly_cents,
    case when agreed.monthly_cents is null then 1 else 0 end as unknown_price,
    sum(agreed.own_days) as own_days, sum(agreed.own_days * agreed.own_cents) as own_cents,
    sum(case when agreed.own_days > 0 then agreed.own_days * agreed.own_base_cents else 0 end) as own_base_cents,
    max(case when agreed.own_days > 0 and agreed.own_base_cents is null then 1 else 0 end) as unrated,
    min(case when agreed.own_days > 0 and agreed.own_base_cents is null then agreed.rated_on end) as rated_from,
    max(case when agreed.own_days > 0 and agreed.own_base_cents is null then agreed.rated_on end) as rated_through
  from agreed
  group by agreed.customer_key, agreed.subscription_id, agreed.item_key, agreed.starts_on, agreed.currency, agreed.closing_cents,
    agreed.to_day, agreed.from_day, agreed.monthly_cents
),
valued as (
  select item.*, coalesce(item.own_cents, 0) + (item.days - item.own_days) * item.monthly_cents as cents,
    case when item.days = item.own_days then item.own_base_cents
      else item.own_base_cents + (item.days - item.own_days) * item.closing_cents end as base_cents,
    case when item.days > item.own_days and item.closing_cents is null then 1 else 0 end as unclosed
  from item
),
monthly as (
  select valued.customer_key, valued.subscription_id, valued.currency, sum(valued.cents) as cents, sum(valued.base_cents) as base_cents,
    sum(valued.unknown_price) as unknown_price, max(case when valued.unclosed = 1 then 1 else valued.unrated end) as unrated,
    min(case when valued.unclosed = 1 and valued.rated_from is null then :last_on else valued.rated_from end) as rated_from,
    max(case when valued.unclosed = 1 then :last_on else valued.rated_through end) as rated_through
  from valued
  group by valued.customer_key, valued.subscription_id, valued.currency
),
measure as (
  select fact.currency as fact_currency, fn.int_div(2 * fact.cents + case when fact.cents < 0 then -1 else 1 end * (:end_day - :first_day),
      2 * (:end_day - :first_day)) as amount_cents,
    fn.int_div(2 * fact.base_cents + case when fact.base_cents < 0 then -1 else 1 end * (:end_day - :first_day),
      2 * (:end_day - :first_day)) as amount_base_cents,
    fact.unknown_price, fact.unrated, fact.rated_from, fact.rated_through
    /*{dimensions}*/
  from monthly as fact
  /*{joins}*/
  where 1 = 1
  /*{filters}*/
)
select fact_currency, sum(amount_cents) as amount_sum, sum(amount_base_cents) as amount_base_sum, sum(unknown_price) as unknown_count,
  0 as unpriced_count, sum(unrated) as unrated_count, min(rated_from) as unrated_from, max(rated_through) as unrated_through
  /*{dimension_names}*/
from measure
group by fact_currency /*{group_by}*/
