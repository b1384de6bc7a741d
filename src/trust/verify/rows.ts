import { groupBy } from '../../core/group-by.ts'
import { ratio } from '../../core/money.ts'
import type { Row } from '../../ports/rows.ts'

/** A number of a row. Null stays null. */
export function numberIn(row: Row | undefined, name: string): number | null {
  const value = row?.[name] ?? null
  return value === null ? null : Number(value)
}

/** The sum of a measure. */
export function total(rows: readonly Row[], measure: string): number {
  return rows.reduce((sum, row) => sum + (numberIn(row, measure) ?? 0), 0)
}

/** The rows by their values of these columns. */
export function byKey(rows: readonly Row[], columns: readonly string[]): ReadonlyMap<string, readonly Row[]> {
  return groupBy(rows, (row) => keyOf(row, columns))
}

/** The sums of a measure by the values of these columns. */
export function sumsBy(rows: readonly Row[], columns: readonly string[], measure: string): ReadonlyMap<string, number> {
  return new Map([...byKey(rows, columns)].map(([group, own]) => [group, total(own, measure)] as const))
}

/** The values of columns as text that people read: `plan_id gold, currency USD`. `all` without columns. */
export function keyOf(row: Row, columns: readonly string[]): string {
  if (columns.length === 0) return 'all'
  return columns.map((name) => `${name} ${row[name] ?? 'null'}`).join(', ')
}

/** All keys of several groupings, each once. */
export function keysOf(...groupings: readonly ReadonlyMap<string, unknown>[]): readonly string[] {
  return [...new Set(groupings.flatMap((grouping) => [...grouping.keys()]))]
}

/** The dimensions, or the source, so that the answer is always a list with all measures. */
export function asList(dimensions: readonly string[]): readonly string[] {
  return dimensions.length === 0 ? ['source'] : dimensions
}

/** A share as answers round it. */
export function shareOf(top: number, bottom: number): number | null {
  return ratio(top, bottom, 6)
}
