-- relation: stripe_statement
-- reads:    stripe_line, stripe_life
-- Statements of the lines of invoices about licensed items (S15): one row per item and instant. A credit with a partner at its instant says nothing else. A
-- credit alone removes the item. Of a tiered price only full lines know the amount, so a change of its quantity waits for the next one (S12).
with entered as (
  select line.subscription_id, line.item_id, line.starts_at, line.ends_at, line.price_id, line.invoice_created_at, line.place, line.is_tiered,
    case when line.is_tiered = 1 then line.period_quantity else line.quantity end as quantity,
    case when line.is_tiered = 1 and (line.kind = 'debit' or (line.kind = 'trial' and line.starts_at < coalesce(life.trial_ended_at, life.free_to)))
      then null else line.monthly_cents end as monthly_cents,
    case line.kind when 'credit' then 0 when 'debit' then 1 else 2 end as strength,
    case when line.kind = 'debit' then 1 else 0 end as is_debit
  from relation.stripe_line as line
  join relation.stripe_life as life on life.subscription_id = line.subscription_id
  where line.kind <> 'usage'
),
ranked as (
  select entered.*, row_number() over (partition by subscription_id, item_id, starts_at
    order by strength desc, invoice_created_at desc, place desc) as place_from_end
  from entered
),
chosen as (
  select ranked.*, lag(price_id) over (partition by subscription_id, item_id order by starts_at) as price_before
  from ranked
  where place_from_end = 1
)
select subscription_id, item_id, starts_at as stated_from, ends_at, price_id, quantity, monthly_cents, is_tiered, is_debit,
  case when strength = 0 then 1 else 0 end as is_removed
from chosen
where not (is_tiered = 1 and is_debit = 1 and coalesce(price_before = price_id, false))
