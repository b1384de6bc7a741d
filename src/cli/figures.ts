import { isChange, unitOf } from '../core/column-unit.ts'
import { formatAmount, formatNumber } from './numbers.ts'
import { tableLines } from './table.ts'

const NOTHING = '–'

/** A value of a column as people read it: numbers by the unit of the column, amounts in units of `currency`, nothing as a dash. */
export function cellText(value: unknown, column: string, currency = ''): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'number')
    return isChange(column) ? changeText(value, column, currency) : numberText(value, column, currency)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function numberText(value: number, column: string, currency: string): string {
  const unit = unitOf(column)
  return unit === 'money' ? formatAmount(value, currency) : formatNumber(value, unit)
}

// The difference of two fractions is in percentage points.
function changeText(value: number, column: string, currency: string): string {
  const text = `${value > 0 ? '+' : ''}${numberText(value, column, currency)}`
  return unitOf(column) === 'fraction' ? text.replace('%', ' pp') : text
}

/** One aligned line per key: name, value, and the currency beside amounts. */
export function figureLines(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  currency: string,
): readonly string[] {
  const rows = keys.map((key) => {
    const value = record[key]
    return [key, cellText(value, key, currency), typeof value === 'number' && unitOf(key) === 'money' ? currency : '']
  })
  const columns = (['left', 'right', 'left'] as const).map((align) => ({
    title: '',
    align,
  }))
  return tableLines(columns, rows).slice(1)
}
