import { type Fragment, type QueryRunner, sql, text, textList, value } from '../../../src/connector-kit/query-runner.ts'
import { groupBy } from '../../../src/core/group-by.ts'
import {
  customerOf,
  documentOf,
  documents,
  fieldsAs,
  idIn,
  ofScope,
  RETURNS,
  type ReturnTable,
  type Scope,
} from '../documents.ts'
import { PRICING } from '../expanded/prices.ts'
import { linked, returnedIn } from '../expanded/refunds.ts'
import { type ChangedGroup, hasAllRows, idColumns, inGroups, type OwnedTable, rowsOf } from './digests.ts'

/** The customers of the changed rows of a table. Undefined if a row is gone: nothing says whose it was. */
export async function touchedCustomers(
  run: QueryRunner,
  table: OwnedTable,
  groups: readonly ChangedGroup[],
  scope: Scope,
): Promise<readonly string[] | undefined> {
  if (groups.length === 0) return []
  if (groups.some(({ more }) => more < 0)) return undefined
  const rows = await run(
    'stripe.touched',
    sql`select ${ownKey(table, scope)} as customer_key, ${idColumns} from ${rowsOf(table, scope)} and ${inGroups(groups)}`,
  )
  const hashes = groupBy(rows, (row) => String(row['id_group']))
  const isWhole = groups.every((changed) =>
    hasAllRows(
      changed,
      (hashes.get(String(changed.group)) ?? []).map((row) => BigInt(String(row['id_hash']))),
    ),
  )
  if (!isWhole) return undefined
  const own = rows.flatMap((row) => (row['customer_key'] === null ? [] : [text(row['customer_key'])]))
  return table === 'charges' || !isReturn(table) ? own : [...own, ...(await customersOfReturns(run, table, groups, scope))]
}

function isReturn(table: OwnedTable): table is ReturnTable {
  return RETURNS.some((one) => one === table)
}

/** The customer that a row `t` names. Refunds, disputes and invoice payments name none. */
function ownKey(table: OwnedTable, scope: Scope): Fragment {
  if (table === 'customers') return sql`t.id`
  return isReturn(table) && table !== 'charges' ? sql`cast(null as text)` : customerOf(scope)
}

/** The customers to whom the changed rows lead: those of their charges, and of all invoices that a document names for them. Their status does not matter. */
async function customersOfReturns(
  run: QueryRunner,
  table: Exclude<ReturnTable, 'charges'>,
  groups: readonly ChangedGroup[],
  scope: Scope,
): Promise<readonly string[]> {
  const named = sql`select ${customerOf(scope)} as customer_key from invoices as t`
  const statement =
    table === 'invoice_payments'
      ? sql`${named} where t.id in (
          select ${idIn(sql`${documentOf(scope)} -> 'invoice'`)} from ${rowsOf(table, scope)} and ${inGroups(groups)})`
      : sql`with ${linked(scope, returnedIn(table, scope, 'all', inGroups(groups)), 'all')}
        select charged.customer_id as customer_key from charged
        union ${named} where t.id in (select link.invoice_id from link)`
  const rows = await run('stripe.touched_by_refunds', statement)
  return rows.flatMap((row) => (row['customer_key'] === null ? [] : [text(row['customer_key'])]))
}

/** Customers with lines of prices that have become known. */
export async function customersOfPrices(run: QueryRunner, prices: readonly string[], scope: Scope): Promise<readonly string[]> {
  if (prices.length === 0) return []
  const rows = await run(
    'stripe.customers_of_prices',
    sql`select distinct ${customerOf(scope)} as customer_key from invoices as t
      cross join lateral jsonb_array_elements(${documentOf(scope)} -> 'lines' -> 'data') as listed (document)
      where ${ofScope(scope)} and listed.document -> 'pricing' -> 'price_details' ->> 'price' in (${textList(prices)})`,
  )
  return rows.flatMap((row) => (row['customer_key'] === null ? [] : [text(row['customer_key'])]))
}

/** The values that decide the amounts of each price, as a digest by id. */
export async function readPricing(run: QueryRunner, scope: Scope, rowless: string): Promise<Readonly<Record<string, string>>> {
  const digest = sql`left(md5(cast(jsonb_build_array(price.currency, price.billing_scheme, price.unit_amount, price.unit_amount_decimal,
    price.recurring, price.transform_quantity) as text)), 12) as digest`
  const rows = await run(
    'stripe.pricing',
    sql`select price.id, ${digest} from ${documents('prices', scope, PRICING)} as price
      union all
      select price.id, ${digest} from jsonb_array_elements(cast(${value(rowless, 'text')} as jsonb)) as listed (document)
      cross join lateral jsonb_to_record(listed.document) ${fieldsAs('price', PRICING)}`,
  )
  return Object.fromEntries(rows.map((row) => [text(row['id']), text(row['digest'])] as const))
}
