import { currencyDigits, unitsOf } from '../core/currency.ts'

/** How a number reads to people: money in cents, a fraction of a whole, a ratio of two amounts, or a plain count. */
export type Unit = 'money' | 'fraction' | 'ratio' | 'count'

const OF_COMPARISON = /^(previous|change)_/

/** No column. */
export const NO_AMOUNTS: ReadonlySet<string> = new Set()

/** Unit of a column: that of `amounts`, which an answer knows, and of what is called cents is money, the others follow from their names. */
export function unitOf(name: string, amounts: ReadonlySet<string> = NO_AMOUNTS): Unit {
  const column = name.replace(OF_COMPARISON, '')
  // An attribute is whatever its author made of it.
  if (column.startsWith('attr.')) return 'count'
  if (amounts.has(name) || column.endsWith('_cents')) return 'money'
  if (column.endsWith('_ratio')) return 'ratio'
  return /_rate$|^nrr$|^grr$/.test(column) ? 'fraction' : 'count'
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

/** True for the difference of two numbers, which people read with its sign. */
export function isChange(column: string): boolean {
  return column.startsWith('change_')
}

/** Cents as units of their currency, with its decimals and thousands separators. */
export function formatAmount(cents: number, currency: string): string {
  const digits = currencyDigits(currency)
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(unitsOf(cents, currency) as `${number}`)
}

/** A number that is no amount, with thousands separators; fractions in percent. */
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
