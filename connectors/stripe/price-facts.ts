import { type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { documents, fieldsAs, idIn, type Scope } from './documents.ts'
import { allPrices, type PriceFacts } from './expanded/prices.ts'
import { billedQuantity } from './expanded/values.ts'

const LINE = {
  price: 'jsonb',
  pricing: 'jsonb',
  currency: 'text',
  amount: 'numeric',
  quantity: 'numeric',
  proration: 'bool',
  parent: 'jsonb',
} as const

/** What the documents of an account tell about prices beside their rows. They are read from all subscriptions and invoices. */
export async function readPriceFacts(run: QueryRunner, scope: Scope): Promise<PriceFacts> {
  const rowless = await readRowless(run, scope)
  return { rowless, units: await readUnits(run, scope, rowless) }
}

/** Prices without a row, as items of subscriptions and lines of older shape hold them. A deleted price is one of these. */
async function readRowless(run: QueryRunner, scope: Scope): Promise<string> {
  const ofItems = sql`select part.price from ${documents('subscriptions', scope, { items: 'jsonb' })} as subscription
    cross join lateral jsonb_array_elements(subscription.items -> 'data') as listed (document)
    cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', { price: 'jsonb' })}`
  const ofLines = sql`select part.price from ${documents('invoices', scope, { lines: 'jsonb' })} as invoice
    cross join lateral jsonb_array_elements(invoice.lines -> 'data') as listed (document)
    cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', { price: 'jsonb' })}`
  const [row] = await run(
    'stripe.rowless_prices',
    sql`with held as materialized (
      select distinct on (price ->> 'id') price ->> 'id' as id, price
      from (${ofItems} union all ${ofLines}) as holder
      where jsonb_typeof(price) = 'object' and price -> 'recurring' ->> 'interval' is not null
      order by price ->> 'id', price
    )
    select cast(coalesce(jsonb_agg(held.price order by held.id), '[]') as text) as prices from held
    where not exists (select 1 from ${documents('prices', scope, { id: 'text' })} as present where present.id = held.id)`,
  )
  return text(row?.['prices'] ?? '[]')
}

/** Units of prices in other currencies than their own, from any full line (S11): the first by its text, so that the choice is the same each time. */
async function readUnits(run: QueryRunner, scope: Scope, rowless: string): Promise<string> {
  const [row] = await run(
    'stripe.units',
    sql`with price as materialized (
      ${allPrices(scope, { rowless })}
    ),
    line as materialized (
      select coalesce(${idIn(sql`part.price`)}, ${idIn(sql`part.pricing -> 'price_details' -> 'price'`)}) as price_id,
        lower(coalesce(part.currency, invoice.currency)) as currency, part.amount, coalesce(part.quantity, 1) as quantity,
        cast(part.pricing ->> 'unit_amount_decimal' as numeric) as stated_unit,
        coalesce(part.proration, cast(part.parent -> 'subscription_item_details' ->> 'proration' as boolean),
          cast(part.parent -> 'invoice_item_details' ->> 'proration' as boolean), false) as is_proration
      from ${documents('invoices', scope, { currency: 'text', lines: 'jsonb' })} as invoice
      cross join lateral jsonb_array_elements(invoice.lines -> 'data') as listed (document)
      cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', LINE)}
    ),
    known as (
      select line.price_id, line.currency, coalesce(line.stated_unit, case when line.amount > 0 and not line.is_proration
          then line.amount / nullif(${billedQuantity(sql`line.quantity`, sql`price.divide_by`, sql`price.package_round`)}, 0) end) as unit
      from line
      join price on price.price_id = line.price_id
      where line.currency <> price.currency and price.is_tiered = 0
    ),
    chosen as (
      select distinct on (price_id, currency) price_id, currency, unit from known where unit is not null order by price_id, currency, unit
    )
    select cast(coalesce(jsonb_agg(jsonb_build_object('price_id', price_id, 'currency', currency, 'unit', unit) order by price_id, currency), '[]') as text)
      as units
    from chosen`,
  )
  return text(row?.['units'] ?? '[]')
}
