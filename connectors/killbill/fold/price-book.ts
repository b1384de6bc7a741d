import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import type { Instant } from './instant.ts'

/** A row of the relation `price` without its key. */
export interface Price {
  readonly from: Instant
  readonly to: Instant
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
  const cells = index(relations, 'catalog_cell', ['tenant_key'])
  const prices = index(relations, 'price', ['tenant_key', 'phase_name', 'currency', 'cell'])
  const terms = index(relations, 'fixed_term', ['tenant_key', 'phase_name', 'cell'])
  const addons = index(relations, 'addon_plan', ['tenant_key', 'plan', 'cell'])
  const exclusions = index(relations, 'base_addon', ['tenant_key', 'base_plan', 'addon_product'])
  const cellAt = (tenant: number, entered: Instant): unknown => holding(cells([tenant]), entered)?.['cell']
  return {
    prices: (tenant, phase, currency, entered) => prices([tenant, phase, currency ?? '', cellAt(tenant, entered)]).map(priceOf),
    fixedTerm: (tenant, phase, entered, at) => {
      const row = holding(terms([tenant, phase, cellAt(tenant, entered)]), at)
      return row === undefined ? null : { months: Number(row['months']), days: Number(row['days']) }
    },
    addonProduct: (tenant, plan, entered, at) => {
      const row = holding(addons([tenant, plan, cellAt(tenant, entered)]), at)
      return row === undefined ? null : String(row['product_name'])
    },
    endsAddon: (tenant, basePlan, addonProduct, at) => holding(exclusions([tenant, basePlan, addonProduct]), at) !== undefined,
  }
}

function priceOf(row: Entry): Price {
  return {
    from: String(row['from_at']),
    to: String(row['to_at']),
    price: row['price'] === null ? null : String(row['price']),
    month_numerator: Number(row['month_numerator']),
    month_denominator: Number(row['month_denominator']),
    has_usage: row['has_usage'] === true,
    plan_key: row['plan_key'] === null ? null : Number(row['plan_key']),
  }
}

function holding(rows: readonly Entry[], at: Instant): Entry | undefined {
  return rows.find((row) => String(row['from_at']) <= at && at < String(row['to_at']))
}

function index(
  relations: readonly InlineRelation[],
  name: string,
  key: readonly string[],
): (values: readonly unknown[]) => readonly Entry[] {
  const relation = relations.find((candidate) => candidate.name === name)
  const byKey = new Map<string, Entry[]>()
  for (const cells of relation?.rows ?? []) {
    const row = Object.fromEntries((relation?.columns ?? []).map((column, position) => [column.name, cells[position]]))
    const text = JSON.stringify(key.map((column) => row[column]))
    const list = byKey.get(text)
    if (list === undefined) byKey.set(text, [row])
    else list.push(row)
  }
  return (values) => byKey.get(JSON.stringify(values)) ?? []
}
