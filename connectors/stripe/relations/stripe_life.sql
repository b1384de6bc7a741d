-- relation: stripe_life
-- reads:    stripe_begun, stripe_line, stripe_invoice
-- param:    unpaid_pauses boolean
-- Lives of subscriptions with their activation (S8), the pause of an unpaid one (S9), and the currency, which a mirror may know from lines only (S13).
-- `activated_at` is null for a trial that ended or paused without activation.
with billed as (
  select line.subscription_id, max(line.currency) as currency
  from relation.stripe_line as line
  group by line.subscription_id
),
later as (
  select begun.subscription_id, min(line.starts_at) as first_at
  from relation.stripe_begun as begun
  join relation.stripe_line as line on line.subscription_id = begun.subscription_id
  where line.kind in ('full', 'usage') and line.starts_at >= begun.trial_ended_at
  group by begun.subscription_id
),
settled as (
  select invoice.subscription_id, max(invoice.created_at) as paid_until
  from relation.stripe_invoice as invoice
  where invoice.status = 'paid' and invoice.subscription_id is not null
  group by invoice.subscription_id
),
drafted as (
  select draft.subscription_id, min(draft.created_at) as unpaid_from
  from relation.stripe_invoice as draft
  left join settled on settled.subscription_id = draft.subscription_id
  where draft.status = 'draft' and draft.billing_reason = 'subscription_cycle'
    and draft.created_at > coalesce(settled.paid_until, timestamp '1000-01-01 00:00:00')
  group by draft.subscription_id
)
select begun.subscription_id, begun.customer_key, coalesce(begun.currency, billed.currency) as currency, begun.created_at, begun.started_at,
  begun.ended_at, case when begun.ended_at is null then begun.planned_end_at end as planned_end_at, begun.requested_at, begun.cancel_reason,
  begun.synced_at, begun.trial_ended_at, begun.free_from, begun.free_to, begun.is_ghost,
  case when begun.trial_ended_at is null then begun.started_at
    when begun.status = 'paused' then null
    when begun.ended_at is not null and (begun.ended_at <= fn.add_seconds(begun.trial_ended_at, 3600) or later.first_at is null) then null
    when later.first_at > fn.add_seconds(begun.trial_ended_at, 3600) then later.first_at
    else begun.trial_ended_at end as activated_at,
  case when begun.status = 'unpaid' and :unpaid_pauses = true then drafted.unpaid_from end as paused_at
from relation.stripe_begun as begun
left join billed on billed.subscription_id = begun.subscription_id
left join later on later.subscription_id = begun.subscription_id
left join drafted on drafted.subscription_id = begun.subscription_id
