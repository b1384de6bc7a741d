import { type Customers, rowKeysIn } from '../../src/connector-kit/mirror-source.ts'
import { type QueryRunner, sql, text, value } from '../../src/connector-kit/query-runner.ts'
import { documents, documentsOnce, fieldsAs, idIn, type Rows, type Scope } from './documents.ts'
import { allPrices, type PriceFacts } from './expanded/prices.ts'
import { keysOfRows } from './expanded/row-keys.ts'
import { billedQuantity } from './expanded/values.ts'
import { type GapsByCustomer, readGaps } from './gaps.ts'

const LINE = {
  price: 'jsonb',
  pricing: 'jsonb',
  currency: 'text',
  amount: 'numeric',
  quantity: 'numeric',
  quantity_decimal: 'numeric',
  proration: 'bool',
  parent: 'jsonb',
} as const

/** Facts in the documents of an account: about prices, the currencies in use, and what the mirror lacks. */
export interface AccountFacts extends PriceFacts {
  readonly currencies: readonly string[]
  readonly gaps: GapsByCustomer
}

/** The facts of no document. */
export const NO_FACTS: AccountFacts = { rowless: '[]', units: '[]', currencies: [], gaps: {} }

/** Reads the facts from the subscriptions and invoices of these customers. `before` are the facts of the others. */
export async function readAccountFacts(
  run: QueryRunner,
  scope: Scope,
  customers: Customers = 'all',
  before: AccountFacts = NO_FACTS,
): Promise<AccountFacts> {
  // Without an index the database reads all documents to find those of customers, so they are found once.
  const rows: Rows =
    customers === 'all' ? customers : { rows: rowKeysIn(await run('stripe.rows_of', keysOfRows(scope, customers))) }
  const rowless = await readRowless(run, scope, rows, before)
  const units = await readUnits(run, scope, rows, { rowless, units: before.units })
  const currencies = await readCurrencies(run, scope, rows)
  const gaps = await readGaps(run, scope, { rowless, units }, rows)
  return {
    rowless,
    units,
    currencies: [...new Set([...before.currencies, ...currencies])].sort(),
    gaps: { ...without(before.gaps, customers), ...gaps },
  }
}

/** The gaps of the other customers. */
function without(gaps: GapsByCustomer, customers: Customers): GapsByCustomer {
  if (customers === 'all') return {}
  const read = new Set(customers.keys)
  return Object.fromEntries(Object.entries(gaps).filter(([customer]) => !read.has(customer)))
}

/** Prices without a row, as items of subscriptions and lines of older shape hold them. A deleted price is one of these. */
async function readRowless(run: QueryRunner, scope: Scope, rows: Rows, { rowless }: PriceFacts): Promise<string> {
  const subscription = documentsOnce('subscriptions', scope, { items: 'jsonb' }, rows)
  const invoice = documentsOnce('invoices', scope, { lines: 'jsonb' }, rows)
  const [row] = await run(
    'stripe.rowless_prices',
    sql`with listed as materialized (
      select listed.document -> 'price' as price from ${subscription} as subscription
      cross join lateral jsonb_array_elements(subscription.items -> 'data') as listed (document)
      union all
      select listed.document -> 'price' from ${invoice} as invoice
      cross join lateral jsonb_array_elements(invoice.lines -> 'data') as listed (document)
      union all
      select known.price from jsonb_array_elements(cast(${value(rowless, 'text')} as jsonb)) as known (price)
    ),
    held as materialized (
      select distinct on (price ->> 'id') price ->> 'id' as id, price from listed
      where jsonb_typeof(price) = 'object' and price -> 'recurring' ->> 'interval' is not null
      order by price ->> 'id', price
    ),
    present as materialized (
      select price.id from ${documents('prices', scope, { id: 'text' })} as price
    )
    select cast(coalesce(jsonb_agg(held.price order by held.id), '[]') as text) as prices from held
    where held.id not in (select present.id from present where present.id is not null)`,
  )
  return text(row?.['prices'] ?? '[]')
}

/** Units of prices in other currencies than their own, from full lines (S11): stated ones first, then that of the largest quantity, which is rounded least. */
async function readUnits(run: QueryRunner, scope: Scope, rows: Rows, facts: PriceFacts): Promise<string> {
  const invoice = documentsOnce('invoices', scope, { currency: 'text', lines: 'jsonb' }, rows)
  const [row] = await run(
    'stripe.units',
    sql`with price as materialized (
      ${allPrices(scope, facts)}
    ),
    line as materialized (
      select coalesce(${idIn(sql`part.price`)}, ${idIn(sql`part.pricing -> 'price_details' -> 'price'`)}) as price_id,
        lower(coalesce(part.currency, invoice.currency)) as currency, part.amount, coalesce(part.quantity, part.quantity_decimal, 1) as quantity,
        cast(part.pricing ->> 'unit_amount_decimal' as numeric) as stated_unit,
        coalesce(part.proration, cast(part.parent -> 'subscription_item_details' ->> 'proration' as boolean),
          cast(part.parent -> 'invoice_item_details' ->> 'proration' as boolean), false) as is_proration
      from ${invoice} as invoice
      cross join lateral jsonb_array_elements(invoice.lines -> 'data') as listed (document)
      cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', LINE)}
    ),
    known as (
      select full_line.price_id, full_line.currency, coalesce(full_line.stated_unit, full_line.amount / nullif(full_line.billed, 0)) as unit,
        case when full_line.stated_unit is null then full_line.billed end as billed
      from (
        select line.*, ${billedQuantity(sql`line.quantity`, sql`price.divide_by`, sql`price.package_round`)} as billed
        from line
        join price on price.price_id = line.price_id
        where line.currency <> price.currency and price.is_tiered = 0 and line.amount > 0 and not line.is_proration
      ) as full_line
      union all
      select before.price_id, before.currency, before.unit, before.billed from jsonb_to_recordset(cast(${value(facts.units, 'text')} as jsonb))
        as before (price_id text, currency text, unit numeric, billed numeric)
    ),
    chosen as (
      select distinct on (price_id, currency) price_id, currency, unit, billed from known where unit is not null
      order by price_id, currency, billed desc nulls first, unit
    )
    select cast(coalesce(jsonb_agg(jsonb_build_object('price_id', price_id, 'currency', currency, 'unit', unit, 'billed', billed)
      order by price_id, currency), '[]') as text) as units
    from chosen`,
  )
  return text(row?.['units'] ?? '[]')
}

/** Currencies of invoices and of subscriptions, which may have no invoice. */
async function readCurrencies(run: QueryRunner, scope: Scope, rows: Rows): Promise<readonly string[]> {
  const of = (table: 'subscriptions' | 'invoices') => documentsOnce(table, scope, { currency: 'text' }, rows)
  const found = await run(
    'stripe.currencies',
    sql`select upper(t.currency) as currency from ${of('subscriptions')} as t where t.currency is not null
      union select upper(t.currency) from ${of('invoices')} as t where t.currency is not null`,
  )
  return found.map((row) => text(row['currency']))
}
