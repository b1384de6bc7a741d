import type { InlineRelation } from '../../compiler/inline.ts'
import type { FxRate } from '../../core/currency.ts'
import { AppError } from '../../core/errors.ts'
import { UNASSIGNED_VENDOR } from '../../core/expense.ts'
import { dayOf, dayStart } from '../../core/periods.ts'
import { dayCell, integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { Condition } from '../../query/condition.ts'
import { matchesText } from '../../query/condition-match.ts'
import { VENDOR_ID, VENDOR_NAME } from '../../query/dimensions/expense.ts'
import type { Field } from '../../query/field.ts'
import { preferStored, ratesByDay } from '../../query/fx-rates.ts'
import { compileScope } from '../../query/scope.ts'
import type { MetricContext, StoreReader } from './context.ts'
import { movementFact } from './facts.ts'
import { refuseGaps, unratedIn } from './gaps.ts'
import { bucketStep } from './periods.ts'

/** Fields of the totals by day and account. */
const IN_TOTALS: ReadonlySet<string> = new Set(['source', 'source_id', 'account_type', 'currency', 'txn_date'])

/** Days (inclusive), filters and groups of a query on expense lines. */
interface ExpenseScope {
  readonly start: string
  readonly end: string
  readonly interval: Parameters<typeof bucketStep>[0]
  readonly dimensions: readonly Field[]
  readonly conditions: readonly Condition[]
}

/**
 * Sums over the lines of bills and expenses up to today (D3, D60), by `bucket`, `account_type` and the dimensions. Columns: `amount_sum` in
 * cents of `fact_currency`, `base_sum` in base cents, `line_count`. Undefined if no source is connected and nothing was imported. AppError
 * `missing_fx_rate`.
 */
export async function readExpenseLines(
  context: MetricContext,
  store: StoreReader,
  scope: ExpenseScope,
): Promise<readonly Row[] | undefined> {
  const sources = await store.run({ template: 'expenses/sources', params: {} })
  if (sources.length === 0) return undefined
  const books = new Map(sources.flatMap((row) => (row['book_id'] === null ? [] : [[integerCell(row, 'book_id'), row] as const])))
  if (books.size === 0) return []
  const asked = [...scope.dimensions, ...scope.conditions.map(({ field }) => field)]
  const isNamed = asked.some(({ key }) => key === VENDOR_NAME.key)
  const dimensions = isNamed ? withVendorId(scope.dimensions) : scope.dimensions
  const { slots, grouped, local_conditions } = compileScope(dimensions, scope.conditions, movementFact(context))
  const isOfTotals = !isNamed && asked.every(({ key }) => IN_TOTALS.has(key))
  const byLine = grouped.length === 0 ? 'expenses/lines' : 'expenses/lines_by'
  const { base_currency: base } = context.definitions
  const today = dayOf(context.now)
  const last = scope.end < today ? scope.end : today
  const within = { books: [...books.keys()], first: scope.start, last, step: bucketStep(scope.interval) }
  const named = isNamed ? await vendorNames(store, within.books) : undefined
  const settled = (rows: readonly Row[]): readonly Row[] =>
    rows
      .map((row) => ({ ...row, ...sourceOf(row, books), ...named?.(row) }))
      .filter((row) => local_conditions.every((one) => meets(row, one)))
  const readLines = async (foreign_only: boolean, rates: InlineRelation): Promise<readonly Row[]> =>
    settled(await store.run({ template: byLine, slots, params: { ...within, foreign_only }, inline: [rates] }))
  const rows = isOfTotals
    ? settled(await store.run({ template: 'expenses/totals', slots, params: within }))
    : await readLines(false, ratesBetween([], { base, currencies: [], first: last, last }))
  const unrated = rows.filter((row) => integerCell(row, 'unrated_count') > 0)
  if (unrated.length === 0) return rows
  // Most lines need no rate from the table. Only the others are read again, to get their base cents.
  const currencies = [...new Set(unrated.map((row) => textOf(row, 'fact_currency')))]
  const first = unrated.map((row) => dayCell(row, 'unrated_from')).reduce((a, b) => (a < b ? a : b))
  const rates = preferStored(await storedRates(context, store), await context.engineRates())
  const foreign = await readLines(true, ratesBetween(rates, { base, currencies, first, last }))
  await refuseUnrated(context, foreign)
  return [...rows, ...foreign.map((row) => ({ ...row, amount_sum: 0, line_count: 0 }))]
}

/** AppError that explains how to get expenses. */
export function noExpenses({ connector }: Pick<MetricContext, 'connector'>): AppError {
  const detail =
    'There are no expenses: connect QuickBooks (POST /api/sources, or /api/connectors/quickbooks/oauth/start), or import a file with `plumbline expenses import`.'
  return new AppError('unsupported_by_connector', detail, { context: { connector, missing: ['expense_line'] } })
}

function sourceOf(row: Row, books: ReadonlyMap<number, Row>): Row {
  const book = books.get(integerCell(row, 'book_id')) ?? {}
  return { source: textCell(book, 'source_type'), source_id: textCell(book, 'source_id') }
}

function withVendorId(dimensions: readonly Field[]): readonly Field[] {
  return dimensions.includes(VENDOR_ID) ? dimensions : [...dimensions, VENDOR_ID]
}

/** Adds the vendor name to a row. Lines are many and vendors few, so the lines are summed before names are looked up. */
async function vendorNames(store: StoreReader, books: readonly number[]): Promise<(row: Row) => Row> {
  const rows = await store.run({ template: 'expenses/vendors', params: { books } })
  const names = new Map(rows.map((row) => [`${integerCell(row, 'book_id')} ${textOf(row, 'external_id')}`, textOf(row, 'name')]))
  return (row) => {
    const id = textCell(row, VENDOR_ID.key)
    return { [VENDOR_NAME.key]: id === null ? UNASSIGNED_VENDOR : (names.get(`${integerCell(row, 'book_id')} ${id}`) ?? id) }
  }
}

function meets(row: Row, condition: Condition): boolean {
  return matchesText(condition, textOf(row, condition.field.key))
}

async function storedRates({ definitions }: MetricContext, store: StoreReader): Promise<readonly FxRate[]> {
  const { base_currency: to } = definitions
  const rows = await store.run({ template: 'expenses/rates', params: {} })
  return rows.map((row) => ({
    from: textOf(row, 'from_currency'),
    to,
    date: dayCell(row, 'rate_date'),
    rate: textOf(row, 'rate'),
  }))
}

/** Relation `fx_rate` for the days of the lines. */
function ratesBetween(
  rates: readonly FxRate[],
  { base, currencies, first, last }: { base: string; currencies: readonly string[]; first: string; last: string },
): InlineRelation {
  const all = ratesByDay(rates, { base, currencies, through: dayStart(last) })
  return { ...all, rows: all.rows.filter(([, day]) => String(day) >= first) }
}

async function refuseUnrated(context: MetricContext, rows: readonly Row[]): Promise<void> {
  await refuseGaps(context, { unpriced: 0, unrated: unratedIn(rows) }, async () => [])
}
