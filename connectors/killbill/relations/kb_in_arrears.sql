-- relation: kb_in_arrears
-- reads:    kb_state, kb_account, kb_rectangle, kb_recurring_item
-- param:    now timestamp
-- Running subscriptions whose plan bills a period after its end, with the end of the last billed period or else their start, and the
-- length of a period.
with latest as (
  select state.customer_key, state.subscription_key, state.plan_set_at, state.phase_code, state.ended_at,
    min(state.state_at) over (partition by state.subscription_key) as started_at,
    row_number() over (partition by state.subscription_key order by state.state_at desc) as recency
  from relation.kb_state as state
),
billed as (
  select item.subscription_id, max(item.end_date) as billed_to
  from relation.kb_recurring_item as item
  group by item.subscription_id
)
select latest.customer_key, subscription.id as subscription_id, coalesce(billed.billed_to, cast(latest.started_at as date)) as billed_to,
  billed.billed_to is not null as is_billed,
  case when price.month_numerator = 1 then price.month_denominator else 0 end as period_months,
  case when price.month_numerator > 1 then fn.int_div(365 * price.month_denominator, 12 * price.month_numerator) else 0 end as period_days
from latest
join relation.kb_account as account on account.customer_key = latest.customer_key
join subscriptions as subscription on subscription.record_id = latest.subscription_key
join relation.kb_rectangle as price
  on price.price_key = concat(fn.text(account.tenant_key), ' ', coalesce(account.currency, ''), ' ', fn.text(latest.phase_code))
  and latest.plan_set_at >= price.entered_from and latest.plan_set_at < price.entered_to and price.from_at <= :now and price.to_at > :now
left join billed on billed.subscription_id = subscription.id
where latest.recency = 1 and latest.ended_at is null and price.in_arrears = true and price.month_numerator > 0
