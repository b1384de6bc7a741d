import { relation, sql, textList, value } from '../../compiler/fragment.ts'
import { type CustomerRef, customerName } from '../../core/attribute.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import type { RunContext } from '../../execution/run.ts'
import { compileData } from '../../execution/run.ts'
import { entriesOfCustomers } from '../../execution/session/attributes/entries.ts'
import type { RequestSession } from '../../execution/session/session.ts'
import { storedIn } from '../../execution/session/stores.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { DataRequest } from '../../query/lists/request.ts'
import { CUSTOMERS } from '../../records/customers.ts'
import { listFact, listFilters } from '../../records/filters.ts'

/** Row of /api/customer-attributes. */
interface CustomerAttributeRow {
  readonly customer_id: string
  readonly customer_external_id: string | null
  readonly customer_name: string | null
  readonly customer_email: string | null
  readonly key: string
  readonly value: string | number | boolean | null
  readonly origin: string
  readonly updated_at: string | null
}

/** A page of all values, by customer and key (http-api.md 7). */
export interface CustomerAttributePage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly CustomerAttributeRow[]
}

interface Holder extends CustomerRef {
  readonly row: Row
  readonly count: number
}

/**
 * Counts the values of each customer in the billing database and in the store. Orders the customers, finds the customers on the
 * page, and reads only their values.
 */
export async function readPage(
  request: DataRequest,
  key: string | undefined,
  deps: EngineDependencies,
  { session, run }: RunContext,
): Promise<CustomerAttributePage> {
  const { limit, offset } = request
  const known = await session.attributes.definitions()
  const hidden = [...known.values()].flatMap((definition) => (definition.editable ? [definition.key] : []))
  const filters = listFilters(CUSTOMERS, request, listFact({ deps, session }))
  const window = { from: session.now, to: session.now }
  const statement = await compileData(
    { template: 'data/attribute_holders', slots: { filters, joins: engineCounts(key, hidden) }, params: {}, window },
    undefined,
    { deps, session },
  )
  const stored = await storedCounts(key, deps, session)
  const holders = (await run(statement))
    .map((row): Holder => {
      const customer = { source_id: textCell(row, 'source_id') ?? '', customer_id: textCell(row, 'customer_id') ?? '' }
      const count = integerCell(row, 'value_count') + (stored.get(customerName(customer)) ?? 0)
      return { ...customer, row, count }
    })
    .filter(({ count }) => count > 0)
    .sort(byCustomer)
  const { total, shown, skipped } = customersOnPage(holders, limit, offset)
  const entries = await entriesOfCustomers(shown, key, deps, session)
  const rows = shown.flatMap((holder) =>
    entries.filter((entry) => customerName(entry) === customerName(holder)).map((entry) => rowOf(holder, entry)),
  )
  return { total, limit, offset, rows: rows.slice(skipped, skipped + limit) }
}

/** The customers with values on the page. `skipped` is the number of values that the first of them has on earlier pages. */
function customersOnPage(holders: readonly Holder[], limit: number, offset: number) {
  const shown: Holder[] = []
  let total = 0
  let skipped = 0
  for (const holder of holders) {
    const first = total
    total += holder.count
    if (total <= offset || first >= offset + limit) continue
    if (shown.length === 0) skipped = offset - first
    shown.push(holder)
  }
  return { total, shown, skipped }
}

function rowOf(
  { row }: Holder,
  { source_id: _, ...entry }: Awaited<ReturnType<typeof entriesOfCustomers>>[number],
): CustomerAttributeRow {
  return {
    customer_id: entry.customer_id,
    customer_external_id: textCell(row, 'external_key'),
    customer_name: textCell(row, 'customer_name'),
    customer_email: textCell(row, 'email'),
    key: entry.key,
    value: entry.value,
    origin: entry.origin,
    updated_at: entry.updated_at,
  }
}

// Counts the attributes of each customer in the billing engine. Leaves out the keys in `hidden`, because stored attributes
// replace them.
function engineCounts(key: string | undefined, hidden: readonly string[]) {
  const isShown = hidden.length === 0 ? sql`` : sql` and given.attribute_key not in (${textList(hidden)})`
  const isKey = key === undefined ? sql`` : sql` and given.attribute_key = ${value(key, 'text')}`
  return sql`left join (
    select given.customer_key, count(*) as value_count
    from ${relation('customer_attribute')} as given
    where 1 = 1${isShown}${isKey}
    group by given.customer_key
  ) as owned on owned.customer_key = fact.customer_key`
}

async function storedCounts(
  key: string | undefined,
  deps: EngineDependencies,
  { workspace }: RequestSession,
): Promise<ReadonlyMap<string, number>> {
  const counts = (await storedIn(deps, workspace)?.attributes.counts(key)) ?? []
  return new Map(counts.map((entry) => [customerName(entry), entry.count]))
}

function byCustomer(a: CustomerRef, b: CustomerRef): number {
  if (a.customer_id !== b.customer_id) return a.customer_id < b.customer_id ? -1 : 1
  return a.source_id < b.source_id ? -1 : 1
}
