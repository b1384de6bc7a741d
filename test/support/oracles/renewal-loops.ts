import type { FxRate } from '../../../src/core/currency.ts'
import type { Tables } from '../data/killbill/tables.ts'
import type { FoldedCustomer } from './fold/fold-tables.ts'
import { baseCents, rateTable } from './killbill/fold/rates.ts'

/** A renewal by plain loops (D82). */
export interface JudgedRenewal {
  readonly renews_on: string
  readonly subscription_id: string
  readonly ends: 'period' | 'fixed_term'
  readonly mrr_base_cents: number | null
}

interface Asked {
  readonly start: string
  readonly end: string
  /** Day of the exchange rate. */
  readonly rate_day: string
  readonly rates: readonly FxRate[]
}

/** The renewals from `start` to `end` of accounts that are folded beyond these days. */
export function judgedRenewals(
  customers: readonly FoldedCustomer[],
  tables: Tables,
  { start, end, rate_day, rates }: Asked,
): readonly JudgedRenewal[] {
  const rate = rateTable(rates, 'USD')
  const subscriptions = new Map(tables('subscriptions').map((row) => [row['id'], row]))
  const ids = new Set(customers.flatMap(({ spans }) => spans).map(({ subscription_id }) => subscription_id))
  return [...ids].flatMap((subscription_id): readonly JudgedRenewal[] => {
    const spans = customers.flatMap((customer) => customer.spans.filter((span) => span.subscription_id === subscription_id))
    const billed = subscriptions.get(subscription_id)?.['charged_through_date'] ?? null
    const ends = spans.filter((span, index) => spans[index - 1]?.phase_type === 'fixedterm' && span.start_reason === 'phase')
    const fixed = ends.map(({ valid_from }) => valid_from.slice(0, 19))
    const period = billed === null ? [] : [String(billed).slice(0, 19)]
    const terms = [
      ...fixed.map((at) => ({ at, ends: 'fixed_term' as const })),
      // If both end on one day, it is one renewal.
      ...period
        .filter((at) => !fixed.some((one) => one.slice(0, 10) === at.slice(0, 10)))
        .map((at) => ({ at, ends: 'period' as const })),
    ]
    return terms.flatMap(({ at, ends }) => {
      const day = at.slice(0, 10)
      const span = spans.find(({ valid_from, valid_to }) => valid_from <= at && (valid_to === null || valid_to > at))
      if (span === undefined || day < start || day > end || span.status !== 'active') return []
      if (!span.is_unpriced && span.subscription_mrr_cents <= 0) return []
      const mrr_base_cents = span.is_unpriced ? null : baseCents(span.subscription_mrr_cents, span.currency, rate_day, rate)
      return [{ renews_on: day, subscription_id, ends, mrr_base_cents }]
    })
  })
}
