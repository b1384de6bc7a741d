import type { FxRate } from '../../../src/core/currency.ts'
import type { Tables } from '../data/killbill/tables.ts'
import type { FoldedCustomer } from './fold/fold-tables.ts'
import { baseCents, rateTable } from './killbill/fold/rates.ts'
import type { Span } from './killbill/fold/span.ts'
import { chargedThrough, localDay } from './local-days.ts'

/** A renewal by plain loops (D82). Days are those of the account. */
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
  return customers.flatMap(({ account, spans }) =>
    [...new Set(spans.map(({ subscription_id }) => subscription_id))].flatMap((subscription_id): readonly JudgedRenewal[] => {
      const own = spans.filter((span) => span.subscription_id === subscription_id)
      const isAfterTerm = (span: Span, index: number) =>
        own[index - 1]?.phase_type === 'fixedterm' && span.start_reason === 'phase'
      const fixed = own.filter(isAfterTerm).map(({ valid_from }) => localDay(account, valid_from))
      const billed = chargedThrough(account, subscriptions.get(subscription_id) ?? {})
      const terms = [
        ...fixed.map((day) => ({ day, ends: 'fixed_term' as const })),
        // If both end on one day, it is one renewal.
        ...(billed === null || fixed.includes(billed) ? [] : [{ day: billed, ends: 'period' as const }]),
      ]
      return terms.flatMap(({ day, ends }) => {
        // The last span that begins on the day or before it, unless it ends then.
        const span = own.findLast(({ valid_from }) => localDay(account, valid_from) <= day)
        if (span === undefined || day < start || day > end || span.status !== 'active') return []
        if (span.valid_to !== null && localDay(account, span.valid_to) <= day) return []
        if (!span.is_unpriced && span.subscription_mrr_cents <= 0) return []
        const mrr_base_cents = span.is_unpriced ? null : baseCents(span.subscription_mrr_cents, span.currency, rate_day, rate)
        return [{ renews_on: day, subscription_id, ends, mrr_base_cents }]
      })
    }),
  )
}
