import type { InlineRelation } from '../compiler/inline.ts'
import type { FxRate } from '../core/currency.ts'
import { dayAfter, dayOf } from '../core/periods.ts'

const COLUMNS = [
  { name: 'currency', type: 'text' },
  { name: 'day', type: 'date' },
  { name: 'rate', type: 'decimal' },
] as const

/** Rates per currency pair: those of the store if it has any, else those of the billing engine (D11). */
export function preferStored(stored: readonly FxRate[], own: readonly FxRate[]): readonly FxRate[] {
  const pairs = new Set(stored.map(pair))
  return [...stored, ...own.filter((rate) => !pairs.has(pair(rate)))]
}

interface Wanted {
  readonly base: string
  readonly currencies: readonly string[]
  /** Rates of later days do not count. */
  readonly through: Date
  /** The last rate holds up to the day of this instant, by default that of `through`. */
  readonly until?: Date
}

/** Recent results. Many requests need the same years of daily rates. */
const recent: { readonly asked: string; readonly rates: readonly FxRate[]; readonly relation: InlineRelation }[] = []
const MOST_RECENT = 8

/**
 * Relation `fx_rate`: one row per currency and UTC day, from the currency's first rate to the day of `until`. Each day has the newest rate
 * dated on or before it, and on or before the day of `through` (D11). Of two rates for one day, the later in the list counts. Only rates into `base` count; rates are never
 * inverted or crossed. The base currency and currencies outside `currencies` have no rows. Equal input gives the same object, whose SQL is
 * written only once.
 */
export function ratesByDay(rates: readonly FxRate[], { base, currencies, through, until = through }: Wanted): InlineRelation {
  const days = { lastKnown: dayOf(through), last: dayOf(until) }
  const wanted = [...new Set(currencies)].filter((currency) => currency !== base).sort()
  const asked = [base, days.lastKnown, days.last, ...wanted].join(' ')
  const known = recent.find((entry) => entry.asked === asked && areSame(entry.rates, rates))
  if (known !== undefined) return known.relation
  const relation = relationOf(rates, base, wanted, days)
  recent.unshift({ asked, rates, relation })
  recent.length = Math.min(recent.length, MOST_RECENT)
  return relation
}

function areSame(some: readonly FxRate[], others: readonly FxRate[]): boolean {
  if (some.length !== others.length) return false
  return some.every((rate, index) => {
    const other = others[index]
    return rate.rate === other?.rate && rate.date === other.date && rate.from === other.from && rate.to === other.to
  })
}

interface Days {
  readonly lastKnown: string
  readonly last: string
}

function relationOf(rates: readonly FxRate[], base: string, currencies: readonly string[], days: Days): InlineRelation {
  const rows = currencies.flatMap((currency) => {
    const byDay = new Map(
      rates.filter((rate) => rate.from === currency && rate.to === base).map((rate) => [rate.date, rate.rate]),
    )
    return carriedForward(byDay, days).map(([day, rate]) => [currency, day, rate])
  })
  return { name: 'fx_rate', columns: COLUMNS, rows }
}

function carriedForward(byDay: ReadonlyMap<string, string>, { lastKnown, last }: Days): [day: string, rate: string][] {
  const filled: [string, string][] = []
  const known = [...byDay.keys()].filter((dated) => dated <= lastKnown)
  let day = known.sort()[0]
  let current = ''
  while (day !== undefined && day <= last) {
    current = (day <= lastKnown ? byDay.get(day) : undefined) ?? current
    filled.push([day, current])
    day = dayOf(dayAfter(day))
  }
  return filled
}

function pair(rate: FxRate): string {
  return `${rate.from} ${rate.to}`
}
