import type { Unit } from '../../core/column-unit.ts'
import { currencyDigits, unitsOf } from '../../core/currency.ts'

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
