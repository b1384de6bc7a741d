-- relation: kb_reverted_quantity
-- reads:    kb_event, kb_account, kb_phase, kb_rectangle
-- At a price date for existing subscriptions, the engine goes on with the quantity of the last CREATE, TRANSFER, CHANGE or PHASE. It loses
-- the QUANTITY_UPDATE rows since then (KB 3.5, 14). It keeps those of the same instant: a subscription that is created with a quantity has one.
-- The quantity is 1 without such a row, and also at 0 or less. One row per lost quantity, up to the next row of the subscription or the next
-- price date, with what the engine bills a month.
with changed as (
  select distinct event.subscription_id
  from relation.kb_event as event
  where event.kind = 'quantity'
),
numbered as (
  select event.subscription_id, event.tenant_key, event.effective_date, event.kind, event.phase_name, event.quantity,
    row_number() over (partition by event.subscription_id order by event.sort_key) as event_number
  from relation.kb_event as event
  join changed on changed.subscription_id = event.subscription_id
),
running as (
  select numbered.*,
    fn.integer(mod(max(case when numbered.kind = 'quantity'
      then numbered.event_number * 10000000000 + case when numbered.quantity > 0 then numbered.quantity else 0 end end) over at_instant, 10000000000)) as agreed,
    max(case when numbered.kind = 'plan' then numbered.effective_date end) over w as plan_set_at,
    min(case when numbered.kind <> 'quantity' then numbered.effective_date end)
      over (partition by numbered.subscription_id order by numbered.event_number rows between 1 following and unbounded following) as until_at
  from numbered
  window w as (partition by numbered.subscription_id order by numbered.event_number),
    at_instant as (partition by numbered.subscription_id order by numbered.effective_date)
),
-- The key is made before the join to the prices, as in change_instant.
priced as (
  select running.subscription_id, subscription.account_record_id as customer_key, running.effective_date, running.until_at,
    running.plan_set_at, case when running.agreed >= 1 then running.agreed else 1 end as quantity,
    concat(fn.text(account.tenant_key), ' ', coalesce(account.currency, ''), ' ', fn.text(phase.phase_code)) as price_key
  from running
  join subscriptions as subscription on subscription.id = running.subscription_id
  join relation.kb_account as account on account.customer_key = subscription.account_record_id
  join relation.kb_phase as phase on phase.phase_name = running.phase_name
  where running.kind in ('plan', 'phase')
),
dated as (
  select priced.subscription_id, priced.customer_key, priced.effective_date, price.from_at, price.to_at, priced.quantity,
    price.price, price.month_numerator, price.month_denominator
  from priced
  join relation.kb_rectangle as price
    on price.price_key = priced.price_key
    and priced.plan_set_at >= price.entered_from and priced.plan_set_at < price.entered_to
    and price.from_at > priced.effective_date
    and price.from_at < coalesce(priced.until_at, timestamp '9999-12-31 00:00:00')
),
met as (
  select dated.customer_key, dated.subscription_id, dated.from_at, dated.to_at, dated.quantity, dated.price, dated.month_numerator,
    dated.month_denominator,
    max(case when other.effective_date <= dated.from_at and other.kind = 'quantity' then other.event_number * 10000000000 + other.agreed end) as last_agreed,
    min(case when other.effective_date > dated.from_at then other.effective_date end) as next_at
  from dated
  join running as other on other.subscription_id = dated.subscription_id and other.effective_date >= dated.effective_date
  group by dated.customer_key, dated.subscription_id, dated.from_at, dated.to_at, dated.quantity, dated.price, dated.month_numerator,
    dated.month_denominator
)
select met.customer_key, met.subscription_id, met.from_at as valid_from,
  case when met.next_at < met.to_at then met.next_at when met.to_at < timestamp '9999-12-31 00:00:00' then met.to_at end as valid_to,
  fn.int_div(fn.integer(round(100 * met.price * met.quantity, 0)) * met.month_numerator, met.month_denominator) as monthly_cents, met.quantity
from met
where case when mod(met.last_agreed, 10000000000) >= 1 then fn.integer(mod(met.last_agreed, 10000000000)) else 1 end <> met.quantity
  and met.last_agreed is not null
