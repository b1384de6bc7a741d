import Big from 'big.js'
import type { FxRate } from '../../../src/core/fx-rate.ts'

/** rate(currency, day): decimal text, null where no rate is known yet (D11). */
export type RateTable = (currency: string, day: string) => string | null

/** Newest rate on or before the day; 1 for the base currency itself. */
export function rateTable(rates: readonly FxRate[], baseCurrency: string): RateTable {
  const byCurrency = new Map<string, FxRate[]>()
  const sorted = rates.filter((rate) => rate.to === baseCurrency).sort((a, b) => (a.date < b.date ? -1 : 1))
  for (const rate of sorted) byCurrency.set(rate.from, [...(byCurrency.get(rate.from) ?? []), rate])
  return (currency, day) => {
    if (currency === baseCurrency) return '1'
    return byCurrency.get(currency)?.findLast((rate) => rate.date <= day)?.rate ?? null
  }
}

/** round(cents × rate), half away from zero (D8, D12); zero needs no rate, null where the rate is missing. */
export function baseCents(cents: number, currency: string | null, day: string | null, rates: RateTable): number | null {
  if (cents === 0) return 0
  const rate = currency === null || day === null ? null : rates(currency, day)
  return rate === null ? null : roundToInteger(new Big(cents).times(rate))
}

/** Nearest whole number, half away from zero. */
export function roundToInteger(exact: Big): number {
  return exact.round(0, Big.roundHalfUp).toNumber()
}
