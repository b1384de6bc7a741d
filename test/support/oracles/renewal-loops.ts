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

/** Renewals as plain loops know them. */
interface Judged {
  /** All ends of fixed terms. */
  readonly fixed: readonly JudgedRenewal[]
  /** The next end of each billed period, if nothing changes before it. */
  readonly next: readonly JudgedRenewal[]
  /** Base cents from a day on: null without a price or rate, undefined if the subscription does not go on. */
  readonly amountOn: (subscription_id: string, day: string) => number | null | undefined
  /** True if something changes after the first day and up to the last one. */
  readonly isChanged: (subscription_id: string, after: string, to: string) => boolean
}

interface Asked {
  /** The local day of the accounts on which somebody asks, or one before it. */
  readonly today: string
  readonly start: string
  readonly end: string
  /** Day of the exchange rate. */
  readonly rate_day: string
  readonly rates: readonly FxRate[]
}

/** The renewals from `start` to `end` of accounts that are folded beyond these days. */
export function judgeRenewals(
  customers: readonly FoldedCustomer[],
  tables: Tables,
  { today, start, end, rate_day, rates }: Asked,
): Judged {
  const rate = rateTable(rates, 'USD')
  const rows = new Map(tables('subscriptions').map((row) => [row['id'], row]))
  const owned = new Map<string, { readonly account: FoldedCustomer['account']; readonly spans: Span[] }>()
  for (const { account, spans } of customers)
    for (const span of spans) {
      const own = owned.get(span.subscription_id) ?? { account, spans: [] }
      own.spans.push(span)
      owned.set(span.subscription_id, own)
    }
  const amountOn: Judged['amountOn'] = (subscription_id, day) => {
    const own = owned.get(subscription_id)
    // The last span that begins on the day or before it, unless it ends then.
    const span = own?.spans.findLast(({ valid_from }) => localDay(own.account, valid_from) <= day)
    if (own === undefined || span?.status !== 'active') return undefined
    if (span.valid_to !== null && localDay(own.account, span.valid_to) <= day) return undefined
    if (!span.is_unpriced && span.subscription_mrr_cents <= 0) return undefined
    return span.is_unpriced ? null : baseCents(span.subscription_mrr_cents, span.currency, rate_day, rate)
  }
  const isChanged: Judged['isChanged'] = (subscription_id, after, to) => {
    const own = owned.get(subscription_id)
    const isBetween = (instant: Span['valid_from'] | null) => {
      const day = own === undefined || instant === null ? '' : localDay(own.account, instant)
      return day > after && day <= to
    }
    return own?.spans.some(({ valid_from, valid_to }) => isBetween(valid_from) || isBetween(valid_to)) === true
  }
  const judged = (subscription_id: string, renews_on: string | null, ends: JudgedRenewal['ends']): readonly JudgedRenewal[] => {
    if (renews_on === null || renews_on < start || renews_on > end) return []
    const mrr_base_cents = amountOn(subscription_id, renews_on)
    return mrr_base_cents === undefined ? [] : [{ renews_on, subscription_id, ends, mrr_base_cents }]
  }
  const fixed: JudgedRenewal[] = []
  const next: JudgedRenewal[] = []
  for (const [id, { account, spans }] of owned) {
    const isAfterTerm = (span: Span, index: number) =>
      spans[index - 1]?.phase_type === 'fixedterm' && span.start_reason === 'phase'
    const ends = spans.filter(isAfterTerm).map(({ valid_from }) => localDay(account, valid_from))
    fixed.push(...ends.flatMap((day) => judged(id, day, 'fixed_term')))
    const billed = chargedThrough(account, rows.get(id) ?? {})
    // If both end on one day, it is one renewal.
    const isNext = billed !== null && !ends.includes(billed) && !isChanged(id, today, dayBefore(billed))
    if (isNext) next.push(...judged(id, billed, 'period'))
  }
  return { fixed, next, amountOn, isChanged }
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}
