import type { Unit } from '../../core/column.ts'
import { currencyDigits, unitsOf } from '../../core/currency.ts'
import { tableLines } from './text-table.ts'

const NOTHING = '–'

/** How to format numbers: the units of columns, and the currency of amounts. */
export interface CellFormat {
  readonly units: ReadonlyMap<string, Unit>
  readonly currency?: string | undefined
}

/** No column has a known unit. */
export const NO_UNITS: ReadonlyMap<string, Unit> = new Map()

const PLAIN: CellFormat = { units: NO_UNITS }

/** Unit of a column. An answer does not describe the columns of rows inside it: there, the names of amounts end in `_cents`. */
export function unitOf(column: string, units: ReadonlyMap<string, Unit>): Unit {
  return units.get(column) ?? (column.endsWith('_cents') && !column.startsWith('attr.') ? 'money' : 'count')
}

// A difference of two numbers is shown with its sign.
function isChange(column: string): boolean {
  return column.startsWith('change_')
}

/** A value as text: numbers by the unit of their column, amounts in units of their currency, no value as a dash. */
export function cellText(value: unknown, column: string, reading: CellFormat = PLAIN): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'number') return isChange(column) ? changeText(value, column, reading) : numberIn(value, column, reading)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A number by its unit; without a value a dash. Amounts have the decimals of their currency. */
export function numberText(value: number | null, unit: Unit, currency: string): string {
  if (value === null) return NOTHING
  return unit === 'money' ? formatAmount(value, currency) : formatNumber(value, unit)
}

function numberIn(value: number, column: string, { units, currency = '' }: CellFormat): string {
  return numberText(value, unitOf(column, units), currency)
}

// The difference between two fractions is in percentage points.
function changeText(value: number, column: string, reading: CellFormat): string {
  const text = `${value > 0 ? '+' : ''}${numberIn(value, column, reading)}`
  return unitOf(column, reading.units) === 'fraction' ? text.replace('%', ' pp') : text
}

/** One aligned line per key: name, value and, for amounts, currency. */
export function figureLines(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  reading: CellFormat,
): readonly string[] {
  const rows = keys.map((key) => {
    const value = record[key]
    const isAmount = typeof value === 'number' && unitOf(key, reading.units) === 'money'
    return [key, cellText(value, key, reading), isAmount ? (reading.currency ?? '') : '']
  })
  const columns = (['left', 'right', 'left'] as const).map((align) => ({
    title: '',
    align,
  }))
  return tableLines(columns, rows).slice(1)
}

/**
 * The share that a bar for each value has of the longest one; 0 without a value. Undefined if bars would be useless or misleading: with a single value,
 * with only zeros, or with a negative value.
 */
export function barShares(values: readonly unknown[]): readonly number[] | undefined {
  const levels = values.filter((value): value is number => typeof value === 'number')
  const highest = Math.max(0, ...levels)
  if (levels.length < 2 || highest === 0 || levels.some((level) => level < 0)) return undefined
  return values.map((value) => (typeof value === 'number' ? value / highest : 0))
}

/** The days of a time window in words. */
export function windowText(window: unknown): string {
  const { start, end } = window as { readonly start: string; readonly end: string }
  return `${start} to ${end}`
}

const hundredths = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const percents = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Cents as units of their currency, with thousands separators and the decimals of the currency. */
export function formatAmount(cents: number, currency: string): string {
  const digits = currencyDigits(currency)
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(unitsOf(cents, currency) as `${number}`)
}

/** A number other than an amount, with thousands separators. Fractions are in percent. */
export function formatNumber(value: number, unit: Exclude<Unit, 'money'>): string {
  switch (unit) {
    case 'ratio':
      return hundredths.format(value)
    case 'fraction':
      return percents.format(value)
    case 'count':
      return plain.format(value)
  }
}
