import Big from 'big.js'
import type { FxRate } from '../../../../../src/core/currency.ts'
import { roundFraction } from '../../../../../src/core/money.ts'
import { groupBy } from './group.ts'

/** A rate as an exact fraction. */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Rate of a currency on a day. Null if no rate is known on or before that day (D11). */
export type RateTable = (currency: string, day: string) => Rate | null

const ONE: Rate = { numerator: 1n, denominator: 1n }

/** Looks up the newest rate on or before the day. The base currency itself has rate 1. */
export function rateTable(rates: readonly FxRate[], baseCurrency: string): RateTable {
  const into = rates.filter((rate) => rate.to === baseCurrency).sort((a, b) => (a.date < b.date ? -1 : 1))
  const byCurrency = groupBy(into, (rate) => rate.from)
  // The same days are requested many times, and the list of a currency can be long.
  const known = new Map<string, Rate | null>()
  return (currency, day) => {
    if (currency === baseCurrency) return ONE
    const key = `${currency} ${day}`
    let rate = known.get(key)
    if (rate === undefined) {
      const newest = byCurrency.get(currency)?.findLast((candidate) => candidate.date <= day)
      rate = newest === undefined ? null : fractionOf(newest.rate)
      known.set(key, rate)
    }
    return rate
  }
}

function fractionOf(decimal: string): Rate {
  const [whole = '', fraction = ''] = new Big(decimal).toFixed().split('.')
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) }
}

/** round(cents × rate), half away from zero (D8, D12). Zero cents need no rate. Null if the rate is missing. */
export function baseCents(cents: number, currency: string | null, day: string | null, rates: RateTable): number | null {
  if (cents === 0) return 0
  const rate = currency === null || day === null ? null : rates(currency, day)
  if (rate === null) return null
  return rate === ONE ? cents : roundFraction(BigInt(cents) * rate.numerator, rate.denominator, 0)
}
