-- relation: stripe_ghost
-- reads:    stripe_line, stripe_subscription, stripe_account, customer
-- Subscriptions that only lines of invoices know, because they were canceled before the mirror began (S4). They end at the instant at which everything
-- in force was credited, with nothing after it, else with the last period of their lines, and before the mirror began (S6). A trial is at their begin,
-- with lines of amount 0, also those of changes in it (S8). A line of nothing, such as one of a free item, ends no trial.
with line as (
  select known.*
  from relation.stripe_line as known
  left join relation.stripe_subscription as present on present.subscription_id = known.subscription_id
  where present.subscription_id is null
),
item as (
  select line.subscription_id, line.item_id, max(case when line.kind = 'credit' then line.starts_at end) as credited_at,
    max(case when line.kind <> 'credit' then line.starts_at end) as stated_at,
    max(case when line.kind <> 'credit' then line.ends_at end) as ends_at,
    max(case when line.kind = 'usage' then 1 else 0 end) as is_metered
  from line
  group by line.subscription_id, line.item_id
),
turned as (
  select item.*, max(item.credited_at) over (partition by item.subscription_id) as turned_at
  from item
),
credited as (
  select turned.subscription_id, max(turned.turned_at) as ended_at
  from turned
  group by turned.subscription_id
  having sum(case when turned.stated_at < turned.turned_at and (turned.credited_at > turned.stated_at or turned.ends_at <= turned.turned_at)
    then 0 else 1 end) = 0
),
summed as (
  select line.subscription_id, max(line.customer_id) as customer_id, max(line.currency) as currency, min(line.starts_at) as started_at,
    max(line.ends_at) as ends_at, min(line.invoice_created_at) as created_at,
    min(case when line.kind = 'trial' then line.starts_at end) as trial_from, max(case when line.kind = 'trial' then line.ends_at end) as trial_to,
    min(case when line.kind in ('full', 'debit') and line.amount_cents > 0 then line.starts_at end) as first_full_at
  from line
  group by line.subscription_id
)
select summed.subscription_id, summed.customer_id, summed.currency, summed.created_at, summed.started_at,
  case when account.first_synced_at < coalesce(credited.ended_at, summed.ends_at) then account.first_synced_at
    else coalesce(credited.ended_at, summed.ends_at) end as ended_at,
  case when summed.trial_from = summed.started_at and coalesce(summed.first_full_at > summed.started_at, true)
    then coalesce(summed.first_full_at, summed.trial_to) end as trial_ended_at
from summed
join relation.customer as customer on customer.customer_key = summed.customer_id
join relation.stripe_account as account on account.source_id = customer.source_id
left join credited on credited.subscription_id = summed.subscription_id
where coalesce(summed.started_at < account.first_synced_at, true)
