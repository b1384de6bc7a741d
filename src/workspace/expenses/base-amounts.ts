import type { FxRate } from '../../core/currency.ts'
import { roundFraction } from '../../core/money.ts'
import type { BookedAmount } from '../../ports/expense-store.ts'

/** Base cents of an amount of the books; null where a rate is missing. AppError `result_too_large` where they are too many to be counted exactly. */
export type BaseCents = (amount: BookedAmount) => number | null

/**
 * Base cents at the rate of the document's day (D11, D13), rounded half away from zero. Where the books are kept in the base currency, the
 * document's own rate is used in place of the table, always.
 */
export function baseAmounts(base: string, rates: readonly FxRate[]): BaseCents {
  const byCurrency = new Map<string, FxRate[]>()
  for (const rate of [...rates].filter(({ to }) => to === base).sort((a, b) => (a.date < b.date ? -1 : 1))) {
    byCurrency.set(rate.from, [...(byCurrency.get(rate.from) ?? []), rate])
  }
  return ({ cents, currency, day, home_currency, home_cents }) => {
    if (currency === base || cents === 0) return cents
    if (home_currency === base && home_cents !== null) return home_cents
    const rate = byCurrency.get(currency)?.findLast(({ date }) => date <= day)
    if (rate === undefined) return null
    const [whole = '', decimals = ''] = rate.rate.split('.')
    return roundFraction(BigInt(cents) * BigInt(whole + decimals), 10n ** BigInt(decimals.length), 0)
  }
}
