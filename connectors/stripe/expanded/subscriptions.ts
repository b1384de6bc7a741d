import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, sql } from '../../../src/connector-kit/query-runner.ts'
import { documents, fieldsAs, idIn, type Scope } from '../documents.ts'
import { allPrices, knownUnits, type PriceFacts } from './prices.ts'
import { billedQuantity, factorOf, instant, monthly } from './values.ts'

/** Fields of a subscription that its readers take apart. */
export const SUBSCRIPTION = {
  id: 'text',
  customer: 'jsonb',
  status: 'text',
  currency: 'text',
  created: 'numeric',
  start_date: 'numeric',
  ended_at: 'numeric',
  canceled_at: 'numeric',
  cancel_at: 'numeric',
  cancel_at_period_end: 'bool',
  current_period_end: 'numeric',
  cancellation_details: 'jsonb',
  trial_start: 'numeric',
  trial_end: 'numeric',
  items: 'jsonb',
} as const

/** Rows of subscriptions, whatever their status. Instants are UTC. `period_end_at` is that of the running period. */
export function expandedSubscriptions(scope: Scope, customers: Customers): Fragment {
  return sql`select t.id as subscription_id, ${idIn(sql`t.customer`)} as customer_id, t.status, upper(t.currency) as currency,
    ${instant(sql`t.created`)} as created_at, ${instant(sql`coalesce(t.start_date, t.created)`)} as started_at,
    ${instant(sql`t.ended_at`)} as ended_at, ${instant(sql`t.canceled_at`)} as canceled_at,
    ${instant(sql`coalesce(t.cancel_at, case when t.cancel_at_period_end then ${PERIOD_END} end)`)} as cancel_at,
    coalesce(t.cancellation_details ->> 'feedback',
      case when t.cancellation_details ->> 'reason' in ('payment_failed', 'payment_disputed') then t.cancellation_details ->> 'reason' end)
      as cancel_reason,
    ${instant(sql`t.trial_start`)} as trial_started_at, ${instant(sql`t.trial_end`)} as trial_ended_at, t.synced_at,
    ${instant(PERIOD_END)} as period_end_at
  from ${documents('subscriptions', scope, SUBSCRIPTION, customers)} as t`
}

/** The end of the running period: of the subscription, or since 2025 of the item whose period ends first. */
const PERIOD_END = sql`coalesce(t.current_period_end, (
  select min(cast(item.value ->> 'current_period_end' as numeric)) from jsonb_array_elements(t.items -> 'data') as item))`

const ITEM = {
  id: 'text',
  created: 'numeric',
  quantity: 'numeric',
  quantity_decimal: 'numeric',
  price: 'jsonb',
  plan: 'jsonb',
} as const

/** The items of some documents of subscriptions. Instants are Unix seconds. */
export function listedItems(subscriptions: Fragment): Fragment {
  return sql`select subscription.id as subscription_id, ${idIn(sql`subscription.customer`)} as customer_id, part.id as item_id,
      coalesce(part.created, subscription.created) as created, coalesce(part.quantity, part.quantity_decimal, 1) as quantity,
      coalesce(${idIn(sql`part.price`)}, ${idIn(sql`part.plan`)}) as price_id, lower(subscription.currency) as currency
    from ${subscriptions} as subscription
    cross join lateral jsonb_array_elements(subscription.items -> 'data') as listed (document)
    cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', ITEM)}`
}

/** Items of today with their price of a month (S10, S11). Without a currency of the subscription it is that of the price. */
export function expandedItems(scope: Scope, facts: PriceFacts, customers: Customers): Fragment {
  const subscription = documents(
    'subscriptions',
    scope,
    { id: 'text', customer: 'jsonb', currency: 'text', created: 'numeric', items: 'jsonb' },
    customers,
  )
  return sql`with price as materialized (
    ${allPrices(scope, facts)}
  ),
  known_unit as materialized (
    ${knownUnits(facts)}
  ),
  item as materialized (
    ${listedItems(subscription)}
  ),
  priced as (
    select item.*, price.is_metered, price.is_tiered, price.period, price.period_count,
      case when price.is_tiered = 1 then null when coalesce(item.currency, price.currency) = price.currency then price.unit
        else known_unit.unit end * ${factorOf(sql`coalesce(item.currency, price.currency)`)} as unit,
      ${billedQuantity(sql`item.quantity`, sql`price.divide_by`, sql`price.package_round`)} as billed
    from item
    left join price on price.price_id = item.price_id
    left join known_unit on known_unit.price_id = item.price_id and known_unit.currency = item.currency
  )
  select priced.customer_id, priced.subscription_id, priced.item_id, ${instant(sql`priced.created`)} as created_at, priced.price_id,
    cast(round(priced.quantity, 0) as bigint) as quantity, coalesce(priced.is_metered, 0) as is_metered,
    coalesce(priced.is_tiered, 0) as is_tiered,
    ${monthly(sql`round(priced.unit * priced.billed, 0)`, sql`priced.period`, sql`priced.period_count`)} as monthly_cents
  from priced`
}
