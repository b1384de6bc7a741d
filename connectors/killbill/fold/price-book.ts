import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { groupBy } from './group.ts'
import type { Instant } from './instant.ts'

interface Interval {
  readonly from: Instant
  readonly to: Instant
}

/** A row of the relation `price` without its key; the same object whenever it is asked for. */
export interface Price extends Interval {
  /** Decimal text; null = unpriced. */
  readonly price: string | null
  readonly month_numerator: number
  readonly month_denominator: number
  readonly has_usage: boolean
  readonly plan_key: number | null
}

export interface FixedTerm {
  readonly months: number
  readonly days: number
}

/** The catalog's relations, looked up instead of joined. `entered` is the last plan-change instant of the subscription. */
export interface PriceBook {
  /** All price rows of a phase for who entered its plan then; empty where no version has the phase. */
  prices(tenant: number, phase: string, currency: string | null, entered: Instant): readonly Price[]
  /** False only where every version knows the phase and none gives it a usage section: its usage component is 0 (D29, rule 4). */
  mayHaveUsage(tenant: number, phase: string): boolean
  /** Length of a final FIXEDTERM phase that begins at `at`. */
  fixedTerm(tenant: number, phase: string, entered: Instant, at: Instant): FixedTerm | null
  /** Product of an add-on plan at `at`. */
  addonProduct(tenant: number, plan: string, entered: Instant, at: Instant): string | null
  /** True where a base that changes to `basePlan` at `at` ends add-ons of that product (KB 2.6). */
  endsAddon(tenant: number, basePlan: string, addonProduct: string, at: Instant): boolean
}

type Entry = Readonly<Record<string, unknown>>

/** Reads the relations that `catalogRelations` makes. */
export function priceBook(relations: readonly InlineRelation[]): PriceBook {
  const cells = index(relations, 'catalog_cell', ['tenant_key'], (row) => ({ cell: Number(row['cell']) }))
  const prices = index(relations, 'price', ['tenant_key', 'phase_name', 'currency', 'cell'], priceOf)
  const terms = index(relations, 'fixed_term', ['tenant_key', 'phase_name', 'cell'], (row) => ({
    months: Number(row['months']),
    days: Number(row['days']),
  }))
  const addons = index(relations, 'addon_plan', ['tenant_key', 'plan', 'cell'], (row) => ({
    product: String(row['product_name']),
  }))
  const exclusions = index(relations, 'base_addon', ['tenant_key', 'base_plan', 'addon_product'], () => ({}))
  const plain = phasesWithoutUsage(rowsOf(relations, 'price'), (tenant) => cells(tenant).length)
  const cellAt = (tenant: number, entered: Instant): number | undefined => holding(cells(tenant), entered)?.cell
  return {
    prices: (tenant, phase, currency, entered) => prices(tenant, phase, currency ?? '', cellAt(tenant, entered)),
    mayHaveUsage: (tenant, phase) => !plain.has(keyOf([tenant, phase])),
    fixedTerm: (tenant, phase, entered, at) => holding(terms(tenant, phase, cellAt(tenant, entered)), at) ?? null,
    addonProduct: (tenant, plan, entered, at) => holding(addons(tenant, plan, cellAt(tenant, entered)), at)?.product ?? null,
    endsAddon: (tenant, basePlan, addonProduct, at) => holding(exclusions(tenant, basePlan, addonProduct), at) !== undefined,
  }
}

function priceOf(row: Entry): Omit<Price, keyof Interval> {
  return {
    price: row['price'] === null ? null : String(row['price']),
    month_numerator: Number(row['month_numerator']),
    month_denominator: Number(row['month_denominator']),
    has_usage: row['has_usage'] === true,
    plan_key: row['plan_key'] === null ? null : Number(row['plan_key']),
  }
}

function holding<T extends Interval>(rows: readonly T[], at: Instant): T | undefined {
  return rows.find((row) => row.from <= at && at < row.to)
}

/** Keys of the phases that have price rows in every cell of their tenant, all without a usage section. */
function phasesWithoutUsage(rows: readonly Entry[], cellCount: (tenant: number) => number): Set<string> {
  const phases = new Set<string>()
  for (const [key, own] of groupBy(rows, (row) => keyOf([row['tenant_key'], row['phase_name']]))) {
    const cells = new Set(own.map((row) => row['cell']))
    const isKnown = cells.size === cellCount(Number(own[0]?.['tenant_key']))
    if (isKnown && own.every((row) => row['has_usage'] === false)) phases.add(key)
  }
  return phases
}

/** Rows of a relation by the columns that find them, read once: looking up makes nothing anew. */
function index<Facts>(
  relations: readonly InlineRelation[],
  name: string,
  key: readonly string[],
  factsOf: (row: Entry) => Facts,
): (...values: readonly unknown[]) => readonly (Facts & Interval)[] {
  const byKey = new Map<string, (Facts & Interval)[]>()
  for (const [text, rows] of groupBy(rowsOf(relations, name), (row) => keyOf(key.map((column) => row[column])))) {
    byKey.set(
      text,
      rows.map((row) => ({ from: String(row['from_at']), to: String(row['to_at']), ...factsOf(row) })),
    )
  }
  return (...values) => byKey.get(keyOf(values)) ?? []
}

/** One text for several cells; no database text holds the character between them. */
function keyOf(cells: readonly unknown[]): string {
  return cells.join('\0')
}

function rowsOf(relations: readonly InlineRelation[], name: string): Entry[] {
  const relation = relations.find((candidate) => candidate.name === name)
  return (relation?.rows ?? []).map((cells) =>
    Object.fromEntries((relation?.columns ?? []).map((column, position) => [column.name, cells[position]])),
  )
}
