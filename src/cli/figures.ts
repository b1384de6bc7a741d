import { formatNumber, unitOf } from './numbers.ts'
import { tableLines } from './table.ts'

const NOTHING = '–'

/** A value of a column as people read it: numbers by the unit of the column, nothing as a dash. */
export function cellText(value: unknown, column: string): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'number') return formatNumber(value, unitOf(column))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** One aligned line per key: name, value, and the currency beside amounts. */
export function figureLines(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  currency: string,
): readonly string[] {
  const rows = keys.map((key) => {
    const value = record[key]
    return [key, cellText(value, key), typeof value === 'number' && unitOf(key) === 'money' ? currency : '']
  })
  const columns = (['left', 'right', 'left'] as const).map((align) => ({ title: '', align }))
  return tableLines(columns, rows).slice(1)
}
