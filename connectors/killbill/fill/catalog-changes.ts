import type { InlineRelation } from '../../../src/connector-kit/connector.ts'

/** Relations whose changes may reach any account. */
const CALENDAR = ['fixed_term', 'base_addon', 'addon_plan']

/** A phase and a currency whose prices have changed. */
export interface PriceChange {
  readonly phase: string
  readonly currency: string
}

/** Compares the relations of two moments, both with the same plan numbers. Null means that every account may be affected. */
export function catalogChange(before: readonly InlineRelation[], now: readonly InlineRelation[]): readonly PriceChange[] | null {
  if (before === now) return []
  if (CALENDAR.some((name) => JSON.stringify(rowsOf(before, name)) !== JSON.stringify(rowsOf(now, name)))) return null
  const old = pricesOf(before)
  const current = pricesOf(now)
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((key) => old.get(key) !== current.get(key))
    .map((key) => {
      const [, phase, currency] = JSON.parse(key) as [tenant: number, phase: string, currency: string]
      return { phase, currency }
    })
}

function rowsOf(relations: readonly InlineRelation[], name: string): InlineRelation['rows'] {
  return relations.find((relation) => relation.name === name)?.rows ?? []
}

/** Price rows as text by tenant, phase and currency, because line numbers differ between two moments. */
function pricesOf(relations: readonly InlineRelation[]): ReadonlyMap<string, string> {
  const lines = new Map(rowsOf(relations, 'price_line').map(([line, ...key]) => [line, JSON.stringify(key)]))
  const texts = new Map<string, string[]>()
  for (const [line, ...facts] of rowsOf(relations, 'price')) {
    const key = lines.get(line ?? null) ?? ''
    const group = texts.get(key) ?? []
    group.push(JSON.stringify(facts))
    texts.set(key, group)
  }
  return new Map([...texts].map(([key, rows]) => [key, rows.join()]))
}
