import * as z from 'zod'
import { type Fragment, sql, textList } from '../compiler/fragment.ts'
import type { Calendar } from '../core/calendar.ts'
import { InternalError } from '../core/errors.ts'
import { integerCell, textCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import type { FactContext } from '../query/field.ts'
import { type ListDefinition, type ListName, orderSlot } from '../query/lists/definition.ts'
import type { DataRequest, ListInputs } from '../query/lists/request.ts'
import { CUSTOMERS } from './customers.ts'
import { allOf, listFilters } from './filters.ts'
import { INVOICES } from './invoices.ts'
import { onRows } from './subscription-conditions.ts'
import { SUBSCRIPTIONS } from './subscriptions.ts'

/** All lists. */
export const LISTS: Readonly<Record<ListName, ListDefinition>> = {
  customers: CUSTOMERS,
  subscriptions: SUBSCRIPTIONS,
  invoices: INVOICES,
}

/** A part of the rows. */
export interface PagePart {
  readonly limit: number
  readonly offset: number
}

/** Runs a template of sql/data in the request's snapshot. */
export type RunData = (
  template: string,
  slots: { readonly filters: Fragment; readonly joins?: Fragment; readonly order_by?: Fragment; readonly page?: PagePart },
) => Promise<readonly Row[]>

type ListRow = Readonly<Record<string, unknown>>

/** A page of a list, with the total number of rows. */
export interface Page {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly ListRow[]
}

/** Parameters and filters of a list (http-api.md 5). */
export function inputsOfList({
  fields,
  statuses,
  subscriptions,
  customer_id,
  day,
  days_open,
  order,
}: ListDefinition): ListInputs {
  const own = [
    'order',
    'limit',
    'offset',
    'search',
    'source_id',
    ...(customer_id === undefined ? [] : ['customer_id' as const]),
    ...(days_open === undefined ? [] : ['open_for_days' as const]),
  ] as const
  const rows = subscriptions === undefined ? {} : { subscriptions: 'all' as const }
  return { fields, statuses, ...rows, order: Object.keys(order), own, takesDays: day !== undefined, takesSegment: true }
}

/** The rows of a part, and the number of all rows, which each row carries as `total_count`. */
export async function readWithTotal(
  { limit, offset }: PagePart,
  read: (part: PagePart) => Promise<readonly Row[]>,
): Promise<{ readonly total: number; readonly found: readonly Row[] }> {
  const found = await read({ limit, offset })
  // A part after the last row has none to carry the total, so it reads the first row too.
  const [first] = found.length > 0 || offset === 0 ? found : await read({ limit: 1, offset: 0 })
  return { total: first === undefined ? 0 : integerCell(first, 'total_count'), found }
}

/** The rows of the page, with the total number of rows. */
export async function readPage(
  definition: ListDefinition,
  request: DataRequest,
  fact: FactContext,
  run: RunData,
  calendar: Calendar,
): Promise<{ readonly total: number; readonly rows: readonly ListRow[] }> {
  const narrowed = listSlots(definition, request, fact)
  const order_by = orderSlot(definition.order, request.order)
  const { total, found } = await readWithTotal(request, (page) => run(definition.template, { ...narrowed, order_by, page }))
  return { total, rows: await writeRows(definition, found, run, calendar) }
}

function listSlots(definition: ListDefinition, request: DataRequest, fact: FactContext) {
  const filters = listFilters(definition, request, fact)
  if (definition.subscriptions === undefined) return { filters }
  const rows = onRows(request.ofSubscription, definition.subscriptions, fact)
  return { joins: rows.joins, filters: sql`${filters}${rows.filters}` }
}

/** Rows in the form of the answer, in the order of the statement. */
export async function writeRows(
  definition: ListDefinition,
  found: readonly Row[],
  run: RunData,
  calendar: Calendar,
): Promise<readonly ListRow[]> {
  const written = found.map((row) => definition.write(row, calendar))
  const rows = definition.name === 'invoices' ? await withSubscriptions(written, run) : written
  const checked = z.array(definition.row).safeParse(rows)
  if (!checked.success)
    throw new InternalError(`the rows of ${definition.template} do not match its schema: ${checked.error.message}`)
  return rows
}

async function withSubscriptions(rows: readonly ListRow[], run: RunData): Promise<readonly ListRow[]> {
  if (rows.length === 0) return rows
  const ids = textList(rows.map((row) => String(row['id'])))
  const found = await run('data/invoice_subscriptions', { filters: allOf([sql`fact.invoice_id in (${ids})`]) })
  const byInvoice = new Map<string, string[]>()
  for (const row of found) {
    const invoice = textCell(row, 'invoice_id') ?? ''
    byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), textCell(row, 'subscription_id') ?? ''])
  }
  return rows.map((row) => ({ ...row, subscription_ids: (byInvoice.get(String(row['id'])) ?? []).sort() }))
}
