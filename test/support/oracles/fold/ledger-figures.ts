import { dayAfter, dayStart, type Interval, periodsBetween, sqlInstant } from '../../../../src/core/periods.ts'
import type { Movement } from '../killbill/fold/movements.ts'
import type { Span } from '../killbill/fold/span.ts'
import type { FoldedCustomer } from './fold-tables.ts'
import { type Breakdown, breakdownOf, levelOf, spansAt, spansBefore } from './levels.ts'

/** Answers of definitions.md worked out plainly from folded customers: the other side of every comparison with SQL. */
export interface Ledger {
  readonly now: string
  readonly customers: readonly FoldedCustomer[]
  readonly spans: readonly Span[]
  readonly movements: readonly Movement[]
}

/** Customers with what they add up to. */
export function ledgerOf(customers: readonly FoldedCustomer[], now: string): Ledger {
  return {
    now,
    customers,
    spans: customers.flatMap((customer) => customer.spans),
    movements: customers.flatMap((customer) => customer.movements),
  }
}

/** Instants of a range. */
export interface Range {
  readonly from: string
  /** Null = the range reaches now and what happens at now is in it (D3). */
  readonly to: string | null
}

/** Instants of a range of days (D3). */
export function rangeOf(start: string, end: string, now: string): Range {
  const after = sqlInstant(dayAfter(end))
  return { from: sqlInstant(dayStart(start)), to: now < after ? null : after }
}

/** Spans "at" a day (D3): just before the day after, or at now. */
export function spansOn(spans: readonly Span[], day: string, now: string): readonly Span[] {
  const { to } = rangeOf(day, day, now)
  return to === null ? spansAt(spans, now) : spansBefore(spans, to)
}

/** MRR of spans in base cents; a missing rate fails. */
export function mrrOf(spans: readonly Span[]): number {
  const level = levelOf(spans)
  if (level === null) throw new Error('a rate is missing')
  return level
}

/** True for what happens in a range. */
export function isIn(at: string, { from, to }: Range): boolean {
  return at >= from && (to === null || at < to)
}

/** Rows of a range. */
export function movementsIn(movements: readonly Movement[], range: Range): Movement[] {
  return movements.filter((movement) => isIn(movement.occurred_at, range))
}

/** Sums by type (D36). */
export function breakdown(movements: readonly Movement[], range: Range): Breakdown {
  return breakdownOf(movementsIn(movements, range), range.from, '9999-12-31 00:00:00')
}

/** Sum of the five types. */
export function netOf(sums: Breakdown): number {
  return Object.values(sums).reduce((sum, amount) => sum + amount, 0)
}

/** Waterfall rows of a range (D37); a series is its `ending` and `net`. */
export function waterfall(ledger: Ledger, start: string, end: string, interval: Interval) {
  let starting = mrrOf(spansBefore(ledger.spans, sqlInstant(dayStart(start))))
  return periodsBetween(dayStart(start), dayAfter(end), interval).map(({ period, from, to }) => {
    const sums = breakdown(ledger.movements, { from: sqlInstant(from), to: ledger.now < sqlInstant(to) ? null : sqlInstant(to) })
    const ending = mrrOf(
      ledger.now < sqlInstant(to) ? spansAt(ledger.spans, ledger.now) : spansBefore(ledger.spans, sqlInstant(to)),
    )
    const row = { period, starting_mrr: starting, ...sums, net_change: netOf(sums), ending_mrr: ending }
    starting = ending
    return row
  })
}

/** D36. */
export function quickRatio(ledger: Ledger, range: Range): number | null {
  const sums = breakdown(
    ledger.movements.filter((movement) => movement.reason !== 'bundle_transfer'),
    range,
  )
  const losses = -sums.churn - sums.contraction
  return losses === 0 ? null : (sums.new + sums.expansion + sums.reactivation) / losses
}

/** Counts that go with the MRR of a day. */
export function snapshotOf(ledger: Ledger, day: string) {
  const spans = spansOn(ledger.spans, day, ledger.now)
  const byCustomer = new Map<number, { mrr: number; live: boolean }>()
  const byCurrency: Record<string, number> = {}
  for (const span of spans) {
    const known = byCustomer.get(span.customer_key) ?? { mrr: 0, live: false }
    byCustomer.set(span.customer_key, { mrr: known.mrr + (span.mrr_base_cents ?? 0), live: known.live || span.is_live })
    byCurrency[span.currency ?? 'None'] = (byCurrency[span.currency ?? 'None'] ?? 0) + span.mrr_cents
  }
  const customers = [...byCustomer.values()]
  return {
    mrr_base_cents: mrrOf(spans),
    subscription_base_cents: spans.reduce((sum, span) => sum + (span.subscription_mrr_base_cents ?? 0), 0),
    usage_base_cents: spans.reduce((sum, span) => sum + (span.usage_mrr_base_cents ?? 0), 0),
    by_currency_cents: byCurrency,
    live_customers: customers.filter((customer) => customer.live).length,
    live_subscriptions: spans.filter((span) => span.is_live).length,
    paying_customers: customers.filter((customer) => customer.mrr > 0).length,
    paying_subscriptions: spans.filter((span) => (span.mrr_base_cents ?? 0) > 0).length,
    paused_subscriptions: spans.filter((span) => span.is_paused).length,
    trialing_subscriptions: spans.filter((span) => span.is_trial).length,
  }
}
