import type { QueryRequest } from '../query/request.ts'
import type { ReadRows } from './read-rows.ts'
import type { ChangedRow, CountedRow, FoundRow } from './rows.ts'
import { hasUsage } from './usage.ts'

/** Columns that tell the rows of a number apart, under every definition set. */
const KEYS = [
  'customer_id',
  'subscription_id',
  'occurred_at',
  'movement_type',
  'movement_source',
  'document_id',
] as const satisfies (keyof CountedRow)[]

/** The rows that two definition sets count differently, the largest difference first. They add up to the difference of the two sums. */
export function differenceOf(before: ReadRows, after: ReadRows, unit: QueryRequest['unit']): ReadRows {
  const { kind } = after
  const amountOf = ({ count, amount_cents, amount_base_cents }: CountedRow) =>
    (kind === 'count' ? count : unit === 'base' ? amount_base_cents : amount_cents) ?? 0
  const left = new Map(before.rows.map((row) => [keyOf(row), row]))
  const kept = after.rows.map((row): ChangedRow => {
    const earlier = left.get(keyOf(row))
    left.delete(keyOf(row))
    // A step can take the usage part away. Then the row states the part that it had.
    const { states } = earlier === undefined || hasUsage(row.states) ? row : earlier
    return changed({ ...row, states }, earlier === undefined ? 0 : amountOf(earlier), amountOf(row))
  })
  const gone = [...left.values()].map((row) => changed(row, amountOf(row), 0))
  const rows = [...kept, ...gone].filter(({ difference }) => difference !== 0).sort(byDifference)
  return { kind, total: rows.length, sum: rows.reduce((sum, { difference }) => sum + difference, 0), rows }
}

function changed(row: FoundRow, before: number, after: number): ChangedRow {
  return { ...row, before, after, difference: after - before }
}

function byDifference(one: ChangedRow, other: ChangedRow): number {
  return Math.abs(other.difference) - Math.abs(one.difference) || (keyOf(one) < keyOf(other) ? -1 : 1)
}

function keyOf(row: CountedRow): string {
  return JSON.stringify(KEYS.map((name) => row[name]))
}
