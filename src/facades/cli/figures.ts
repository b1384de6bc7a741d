import { isChange, NO_AMOUNTS, unitOf } from '../../core/column-unit.ts'
import { formatAmount, formatNumber } from './numbers.ts'
import { tableLines } from './table.ts'

const NOTHING = '–'

/** What tells how numbers read: the columns that hold amounts, and the currency that these are in. */
export interface Reading {
  readonly amounts: ReadonlySet<string>
  readonly currency?: string | undefined
}

const PLAIN: Reading = { amounts: NO_AMOUNTS }

/** A value of a column as people read it: numbers by the unit of the column, amounts in units of their currency, nothing as a dash. */
export function cellText(value: unknown, column: string, reading: Reading = PLAIN): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'number') return isChange(column) ? changeText(value, column, reading) : numberText(value, column, reading)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function numberText(value: number, column: string, { amounts, currency = '' }: Reading): string {
  const unit = unitOf(column, amounts)
  return unit === 'money' ? formatAmount(value, currency) : formatNumber(value, unit)
}

// The difference of two fractions is in percentage points.
function changeText(value: number, column: string, reading: Reading): string {
  const text = `${value > 0 ? '+' : ''}${numberText(value, column, reading)}`
  return unitOf(column, NO_AMOUNTS) === 'fraction' ? text.replace('%', ' pp') : text
}

/** One aligned line per key: name, value, and the currency beside amounts. */
export function figureLines(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  reading: Reading,
): readonly string[] {
  const rows = keys.map((key) => {
    const value = record[key]
    const isAmount = typeof value === 'number' && unitOf(key, reading.amounts) === 'money'
    return [key, cellText(value, key, reading), isAmount ? (reading.currency ?? '') : '']
  })
  const columns = (['left', 'right', 'left'] as const).map((align) => ({
    title: '',
    align,
  }))
  return tableLines(columns, rows).slice(1)
}
