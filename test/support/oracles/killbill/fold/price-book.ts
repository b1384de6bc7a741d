import type { InlineRelation } from '../../../../../src/connector-kit/connector.ts'
import { byEntry, type Entered } from './entered.ts'
import { groupBy } from './group.ts'
import type { Instant } from './instant.ts'

interface Interval {
  readonly from: Instant
  readonly to: Instant
}

/** When the subscription entered its plan, and the interval of its life. */
interface Rectangle extends Interval, Entered {}

/** A row of the relation `price` without its key. Every request for a row returns the same object. */
export interface Price extends Rectangle {
  /** Decimal text; null = unpriced. */
  readonly price: string | null
  readonly month_numerator: number
  readonly month_denominator: number
  readonly has_usage: boolean
  readonly plan_key: number | null
}

interface FixedTerm {
  readonly months: number
  readonly days: number
}

/** The catalog's relations as look-ups instead of joins. `entered` is the instant of the subscription's last change of plan. */
export interface PriceBook {
  /** All price rows of a phase for subscriptions that entered its plan at that instant. Empty if no version has the phase. */
  prices(tenant: number, phase: string, currency: string | null, entered: Instant): readonly Price[]
  /**
   * False only if every version knows the phase and none gives it a usage section. Its usage component is then 0 (D29, rule 4).
   */
  mayHaveUsage(tenant: number, phase: string): boolean
  /** Length of a final FIXEDTERM phase that begins at `at`. */
  fixedTerm(tenant: number, phase: string, entered: Instant, at: Instant): FixedTerm | null
  /** Product of an add-on plan at `at`. */
  addonProduct(tenant: number, plan: string, entered: Instant, at: Instant): string | null
  /** True if a base that changes to `basePlan` at `at` ends add-ons of that product (KB 2.6). */
  endsAddon(tenant: number, basePlan: string, addonProduct: string, at: Instant): boolean
}

type Cells = InlineRelation['rows'][number]

const books = new WeakMap<readonly InlineRelation[], PriceBook>()

/** Reads the relations that `catalogRelations` makes. The same list of relations gives the same book. */
export function priceBook(relations: readonly InlineRelation[]): PriceBook {
  const book = books.get(relations) ?? openBook(relations)
  books.set(relations, book)
  return book
}

function openBook(relations: readonly InlineRelation[]): PriceBook {
  const prices = lookUp(relations, 'price', ['line_key'], ofEntry(priceOf))
  const lines = lookUp(relations, 'price_line', ['tenant_key', 'phase_name', 'currency'], (rows) => rows.map(([line]) => line))
  const terms = lookUp(relations, 'fixed_term', ['tenant_key', 'phase_name'], ofEntry(termOf))
  const addons = lookUp(relations, 'addon_plan', ['tenant_key', 'plan'], ofEntry(addonOf))
  const exclusions = lookUp(relations, 'base_addon', ['tenant_key', 'base_plan', 'addon_product'], (rows) =>
    rows.map(([, , , from, to]) => intervalOf(from, to)),
  )
  const plain = phasesWithoutUsage(relations)
  return {
    prices: (tenant, phase, currency, entered) => {
      const [line] = lines(tenant, phase, currency ?? '') ?? []
      return prices(line)?.(entered) ?? []
    },
    mayHaveUsage: (tenant, phase) => !plain.has(keyOf([tenant, phase])),
    fixedTerm: (tenant, phase, entered, at) => terms(tenant, phase)?.(entered).find((row) => isAt(row, at)) ?? null,
    addonProduct: (tenant, plan, entered, at) => addons(tenant, plan)?.(entered).find((row) => isAt(row, at))?.product ?? null,
    endsAddon: (tenant, basePlan, addonProduct, at) =>
      exclusions(tenant, basePlan, addonProduct)?.some((row) => isAt(row, at)) ?? false,
  }
}

/** Reads each row once, and looks the rows up by entry. */
function ofEntry<T extends Entered>(read: (row: Cells) => T): (rows: readonly Cells[]) => (entered: Instant) => readonly T[] {
  return (rows) => byEntry(rows.map(read))
}

/** The bounds of an unlimited interval, within the range of the databases. */
const FIRST_INSTANT: Instant = '1000-01-01 00:00:00'
const LAST_INSTANT: Instant = '9999-12-31 00:00:00'

function intervalOf(from: unknown, to: unknown): Interval {
  return { from: String(from ?? FIRST_INSTANT), to: String(to ?? LAST_INSTANT) }
}

/** The rectangle of a row. Its four columns begin at `at`. */
function rectangleOf(row: Cells, at: number): Rectangle {
  return {
    entered_from: String(row[at] ?? FIRST_INSTANT),
    entered_to: String(row[at + 1] ?? LAST_INSTANT),
    from: String(row[at + 2] ?? FIRST_INSTANT),
    to: String(row[at + 3] ?? LAST_INSTANT),
  }
}

function priceOf(row: Cells): Price {
  const { entered_from, entered_to, from, to } = rectangleOf(row, 1)
  const price = row[5]
  const planKey = row[9]
  return {
    entered_from,
    entered_to,
    from,
    to,
    price: price === null ? null : String(price),
    month_numerator: Number(row[6]),
    month_denominator: Number(row[7]),
    has_usage: row[8] === true,
    plan_key: planKey === null ? null : Number(planKey),
  }
}

function termOf(row: Cells): Rectangle & FixedTerm {
  return { ...rectangleOf(row, 2), months: Number(row[6]), days: Number(row[7]) }
}

function addonOf(row: Cells): Rectangle & { readonly product: string } {
  return { ...rectangleOf(row, 2), product: String(row[6]) }
}

function isAt({ from, to }: Interval, at: Instant): boolean {
  return from <= at && at < to
}

/**
 * Keys of the phases without a usage section in any price row. Price rows leave no gap: if no version has the phase, a row says
 * that it may have usage.
 */
function phasesWithoutUsage(relations: readonly InlineRelation[]): Set<string> {
  const withUsage = new Set(rowsOf(relations, 'price').flatMap((row) => (row[8] === false ? [] : [row[0]])))
  const phases = new Map<string, boolean>()
  for (const [line, tenant, phase] of rowsOf(relations, 'price_line')) {
    const key = keyOf([tenant, phase])
    phases.set(key, !withUsage.has(line) && phases.get(key) !== false)
  }
  return new Set([...phases].flatMap(([key, plain]) => (plain ? [key] : [])))
}

/** Looks up rows of a relation by their key columns. The rows of a key are read once, on first use. */
function lookUp<Facts>(
  relations: readonly InlineRelation[],
  name: string,
  key: readonly string[],
  read: (rows: readonly Cells[]) => Facts,
): (...values: readonly unknown[]) => Facts | undefined {
  const columns = relations.find((relation) => relation.name === name)?.columns.map((column) => column.name) ?? []
  const places = key.map((column) => columns.indexOf(column))
  const byKey = groupBy(rowsOf(relations, name), (row) => keyOf(places.map((place) => row[place])))
  const known = new Map<string, Facts>()
  return (...values) => {
    const text = keyOf(values)
    const rows = byKey.get(text)
    if (rows === undefined) return undefined
    const facts = known.get(text) ?? read(rows)
    known.set(text, facts)
    return facts
  }
}

/** One text for several cells, joined by a character that no database text contains. */
function keyOf(cells: readonly unknown[]): string {
  return cells.join('\0')
}

function rowsOf(relations: readonly InlineRelation[], name: string): readonly Cells[] {
  return relations.find((relation) => relation.name === name)?.rows ?? []
}
