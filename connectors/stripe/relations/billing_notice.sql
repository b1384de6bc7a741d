-- relation: billing_notice
-- reads:    stripe_subscription, stripe_invoice, customer
-- param:    now timestamp
-- Facts of a mirror that a person must look at (H6). A customer is overdue if a subscription is past due or unpaid, since the oldest open invoice of
-- that subscription. An open invoice says if somebody tried to collect it. Stripe collects no invoice that it sends, so the customer has until the due
-- date. Of others it has a day.
with owing as (
  select subscription.customer_id, subscription.status, coalesce(min(billed.created_at), subscription.synced_at, subscription.started_at) as since_at
  from relation.stripe_subscription as subscription
  left join relation.stripe_invoice as billed on billed.subscription_id = subscription.subscription_id and billed.status = 'open'
    and billed.created_at <= :now
  where subscription.status in ('past_due', 'unpaid') and subscription.ended_at is null
  group by subscription.subscription_id, subscription.customer_id, subscription.status, subscription.synced_at, subscription.started_at
)
select customer.customer_key, null as subscription_id, null as invoice_id, 'overdue' as kind, min(owing.since_at) as since_at,
  max(owing.status) as detail, fn.integer(null) as amount_cents, null as invoice_number
from owing
join relation.customer as customer on customer.customer_key = owing.customer_id
where owing.since_at <= :now
group by customer.customer_key
union all
select customer.customer_key, null, billed.invoice_id, 'never_attempted',
  case when billed.collection_method = 'send_invoice' then billed.due_at else fn.add_period(billed.created_at, 0, 1) end,
  case when billed.collection_method = 'send_invoice' then 'it was sent to the customer, and is past due'
    when billed.is_collected = 0 then 'automatic collection is off' end, null, null
from relation.stripe_invoice as billed
join relation.customer as customer on customer.customer_key = billed.customer_id
where billed.status = 'open' and billed.is_attempted = 0 and billed.amount_paid_cents = 0 and billed.created_at <= fn.add_period(:now, 0, -1)
  and (billed.collection_method = 'charge_automatically' or billed.due_at <= :now)
union all
select customer.customer_key, null, null, 'last_invoice', fn.add_period(cast(max(billed.created_at) as date), 0, 0), null, null, null
from relation.stripe_invoice as billed
join relation.customer as customer on customer.customer_key = billed.customer_id
where billed.status <> 'void' and billed.created_at <= :now
group by customer.customer_key
