import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, sql } from '../../../src/connector-kit/query-runner.ts'
import { documents, fieldsAs, idIn, type Scope } from '../documents.ts'
import { namedLines } from './line-items.ts'
import { allPrices, knownUnits, type PriceFacts } from './prices.ts'
import { billedQuantity, cents, factorOf, instant, monthly } from './values.ts'

/** Fields of an invoice that its lines need. */
export const LISTING = { id: 'text', customer: 'jsonb', created: 'numeric', currency: 'text', lines: 'jsonb' } as const
const LINE = {
  id: 'text',
  amount: 'numeric',
  currency: 'text',
  quantity: 'numeric',
  quantity_decimal: 'numeric',
  period: 'jsonb',
  price: 'jsonb',
  plan: 'jsonb',
  pricing: 'jsonb',
  parent: 'jsonb',
  proration: 'bool',
  proration_details: 'jsonb',
  subscription: 'jsonb',
  subscription_item: 'jsonb',
} as const

/** A field of a line: in the line itself, or since 2025 below its parent. */
const below = (name: Fragment) =>
  sql`coalesce(part.parent -> 'subscription_item_details' -> ${name}, part.parent -> 'invoice_item_details' -> ${name})`
/** The text of an id of a line. JSON null is no id. */
const idBelow = (own: Fragment, name: Fragment) =>
  sql`coalesce(${idIn(own)}, ${idIn(sql`part.parent -> 'subscription_item_details' -> ${name}`)},
    ${idIn(sql`part.parent -> 'invoice_item_details' -> ${name}`)})`
const credited = (details: Fragment) => sql`coalesce(jsonb_typeof(${details} -> 'credited_items') = 'object', false)`

/**
 * The lines of some documents of invoices, in both shapes of the API. Amounts are in minor units, and instants are Unix seconds. `is_cut` says that Stripe
 * has sent only the first lines of the invoice.
 */
export function listedLines(invoices: Fragment): Fragment {
  return sql`select invoice.id as invoice_id, ${idIn(sql`invoice.customer`)} as customer_id, invoice.created as invoice_created,
      part.id as line_id, listed.place, part.amount, lower(coalesce(part.currency, invoice.currency)) as currency,
      coalesce(part.quantity, part.quantity_decimal, 1) as quantity,
      cast(part.period ->> 'start' as numeric) as period_start, cast(part.period ->> 'end' as numeric) as period_end,
      ${idBelow(sql`part.subscription`, sql`'subscription'`)} as subscription_id,
      ${idBelow(sql`part.subscription_item`, sql`'subscription_item'`)} as named_item,
      coalesce(${idIn(sql`part.price`)}, ${idIn(sql`part.pricing -> 'price_details' -> 'price'`)}, ${idIn(sql`part.plan`)}) as price_id,
      cast(part.pricing ->> 'unit_amount_decimal' as numeric) as stated_unit,
      coalesce(part.proration, cast(${below(sql`'proration'`)} #>> '{}' as boolean), false) as is_proration,
      ${credited(sql`part.proration_details`)} or ${credited(below(sql`'proration_details'`))} as is_crediting,
      coalesce(invoice.lines ->> 'has_more', 'false') = 'true' as is_cut
    from ${invoices} as invoice
    cross join lateral jsonb_array_elements(invoice.lines -> 'data') with ordinality as listed (document, place)
    cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', LINE)}`
}

/**
 * The lines of all invoices of the customers that bill a recurring price of a subscription, in both shapes of the API (S15). `kind` says what a
 * line states: `full`, `trial`, `debit`, `credit`, or `usage` for a metered price. `item_id` is that of S16 if the line names none.
 * `monthly_cents` is in the currency of the subscription, whatever the line is paid in (S13). For tiers it is of the sum of the lines of one item,
 * price and period of an invoice (S12).
 */
export function expandedLines(scope: Scope, facts: PriceFacts, customers: Customers): Fragment {
  return sql`with recursive price as materialized (
    ${allPrices(scope, facts)}
  ),
  known_unit as materialized (
    ${knownUnits(facts)}
  ),
  agreed as materialized (
    select held.id, lower(held.currency) as currency from ${documents('subscriptions', scope, { id: 'text', currency: 'text' }, customers)} as held
  ),
  line as materialized (
    ${listedLines(documents('invoices', scope, LISTING, customers))}
  ),
  priced as (
    select line.*, price.is_metered, price.is_tiered, price.period, price.period_count, price.unit as list_unit,
      coalesce(agreed.currency, line.currency) as agreed_currency,
      case when price.is_tiered = 1 then null when coalesce(agreed.currency, line.currency) = price.currency then price.unit
        else coalesce(case when line.currency = coalesce(agreed.currency, line.currency) and not line.is_proration then line.stated_unit end, known_unit.unit)
        end * ${factorOf(sql`coalesce(agreed.currency, line.currency)`)} as unit,
      ${billedQuantity(sql`line.quantity`, sql`price.divide_by`, sql`price.package_round`)} as billed,
      sum(line.amount) over (partition by line.invoice_id, line.subscription_id, line.named_item, line.price_id, line.is_proration,
        line.period_start, line.period_end) as whole_amount
    from line
    left join price on price.price_id = line.price_id
    left join agreed on agreed.id = line.subscription_id
    left join known_unit on known_unit.price_id = line.price_id and known_unit.currency = coalesce(agreed.currency, line.currency)
    where line.subscription_id is not null and line.period_start is not null and (price.price_id is not null or line.named_item is not null)
      and (price.price_id is not null or line.price_id is not null)
  ),
  stated as materialized (
    select priced.*, case when is_metered = 1 then 'usage'
        when is_proration and (amount < 0 or (amount = 0 and is_crediting)) then 'credit'
        when is_proration then 'debit'
        when case when is_tiered = 1 then whole_amount = 0 else amount = 0 and round(coalesce(list_unit, stated_unit, 1) * billed, 0) <> 0 end
          then 'trial'
        else 'full' end as kind
    from priced
  ),
  ${namedLines(scope, customers)}
  select named.customer_id, named.invoice_id, ${instant(sql`named.invoice_created`)} as invoice_created_at, named.line_id,
    cast(named.place as bigint) as place, named.subscription_id, named.item_id, named.price_id, named.kind, upper(named.currency) as currency,
    cast(round(named.quantity, 0) as bigint) as quantity, coalesce(named.is_tiered, 0) as is_tiered,
    ${instant(sql`named.period_start`)} as starts_at, ${instant(sql`named.period_end`)} as ends_at,
    ${cents(sql`named.amount`, sql`named.currency`)} as amount_cents,
    cast(sum(round(named.quantity, 0)) over w as bigint) as period_quantity,
    ${monthly(
      sql`case when named.is_tiered = 1 and named.currency <> named.agreed_currency then null when named.is_tiered = 1 then round(sum(named.amount) over w * ${factorOf(sql`named.currency`)}, 0)
        else round(named.unit * named.billed, 0) end`,
      sql`named.period`,
      sql`named.period_count`,
    )} as monthly_cents
  from named
  window w as (partition by named.subscription_id, named.item_id, named.invoice_id, named.price_id, named.kind, named.period_start, named.period_end)`
}
