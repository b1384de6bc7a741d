import Big from 'big.js'
import { roundFraction } from './money.ts'

// ISO 4217. The tables of Intl follow the use of cash, and give HUF, COP, IDR and others no decimals.
const DIGITS = new Map([
  ...listed(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...listed(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...listed(4, 'CLF UYW'),
])

const HUNDREDTH = new Big('0.01')

/** Decimals of a currency (ISO 4217): 0 for JPY, 3 for KWD, 2 for most currencies and for unknown codes. */
export function currencyDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2
}

/**
 * Cents (hundredths of the unit in every currency) as decimal text in units, with the digits of the currency: `1234` is `12.34` USD, `12`
 * JPY and `12.340` KWD. Exact. Digits beyond those of the currency are rounded half away from zero (D8).
 */
export function unitsOf(cents: number, currency: string): string {
  const digits = currencyDigits(currency)
  // Fast path: answers can have a million amounts, and nearly all are whole cents.
  if (Number.isSafeInteger(cents)) return digits < 2 ? String(roundFraction(BigInt(cents), 100n, 0)) : shifted(cents, digits)
  const text = new Big(cents).times(HUNDREDTH).toFixed(digits, Big.roundHalfUp)
  return Number(text) === 0 ? text.replace('-', '') : text
}

function shifted(cents: number, digits: number): string {
  const text = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2).padEnd(digits, '0')}`
}

function listed(digits: number, currencies: string): readonly (readonly [string, number])[] {
  return currencies.split(' ').map((currency) => [currency, digits])
}

/** One exchange rate: units of `to` for one unit of `from`, valid from `date` on (D11). `rate` is decimal text. */
export interface FxRate {
  readonly date: string
  readonly from: string
  readonly to: string
  readonly rate: string
}
