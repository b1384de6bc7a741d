import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { groupBy } from '../fold/group.ts'

/** Relations of which any change may reach any account. */
const CALENDAR = ['catalog_cell', 'fixed_term', 'base_addon', 'addon_plan']

/** A phase and a currency whose prices are others now. */
export interface PriceChange {
  readonly phase: string
  readonly currency: string
}

/** Compares the relations of two moments, both with the same numbers for plans; null = every account may be reached. */
export function catalogChange(before: readonly InlineRelation[], now: readonly InlineRelation[]): readonly PriceChange[] | null {
  if (before === now) return []
  if (CALENDAR.some((name) => JSON.stringify(rowsOf(before, name)) !== JSON.stringify(rowsOf(now, name)))) return null
  const old = pricesOf(before)
  const current = pricesOf(now)
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((key) => old.get(key) !== current.get(key))
    .map((key) => JSON.parse(key) as PriceChange)
}

function rowsOf(relations: readonly InlineRelation[], name: string): InlineRelation['rows'] {
  return relations.find((relation) => relation.name === name)?.rows ?? []
}

/** Price rows as text by phase and currency. */
function pricesOf(relations: readonly InlineRelation[]): ReadonlyMap<string, string> {
  const columns = relations.find(({ name }) => name === 'price')?.columns.map(({ name }) => name) ?? []
  const [phase, currency] = [columns.indexOf('phase_name'), columns.indexOf('currency')]
  const keyOf = (row: InlineRelation['rows'][number]): string => JSON.stringify({ phase: row[phase], currency: row[currency] })
  const groups = groupBy(rowsOf(relations, 'price'), keyOf)
  return new Map([...groups].map(([key, rows]) => [key, JSON.stringify(rows)]))
}
