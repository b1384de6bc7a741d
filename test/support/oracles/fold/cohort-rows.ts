import Big from 'big.js'
import { monthStart, monthsBetween } from '../killbill/fold/instant.ts'
import { baseCents, type RateTable } from '../killbill/fold/rates.ts'
import type { FoldedCustomer } from './fold-tables.ts'
import { isIn, mrrOf, type Range } from './ledger-figures.ts'
import { spansAt, spansBefore } from './levels.ts'
import { roundedTo, share } from './ltv-groups.ts'

/** Members of a cohort. */
export interface Cohort {
  readonly month: string
  readonly members: readonly FoldedCustomer[]
}

/** First days of the months that a range touches, up to the current one. */
export function monthsOf(start: string, end: string, now: string): string[] {
  const last = end < now.slice(0, 10) ? end : now.slice(0, 10)
  const count = monthsBetween(start, last) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => monthStart(start, index))
}

function cohortsBy(customers: readonly FoldedCustomer[], firstOf: (customer: FoldedCustomer) => string | null): Cohort[] {
  const members = new Map<string, FoldedCustomer[]>()
  for (const customer of customers) {
    const first = firstOf(customer)
    if (first === null) continue
    const month = monthStart(first)
    members.set(month, [...(members.get(month) ?? []), customer])
  }
  return [...members].sort().map(([month, own]) => ({ month, members: own }))
}

function earliestSpan(customer: FoldedCustomer, counts: (span: FoldedCustomer['spans'][number]) => boolean): string | null {
  return (
    customer.spans
      .filter(counts)
      .map((span) => span.valid_from)
      .sort()[0] ?? null
  )
}

/** Cohorts by the month of the first live instant (D47). */
export function liveCohorts(customers: readonly FoldedCustomer[]): Cohort[] {
  return cohortsBy(customers, (customer) => earliestSpan(customer, (span) => span.is_live))
}

/** Cohorts by the month of the first instant with MRR (D51). */
export function payingCohorts(customers: readonly FoldedCustomer[]): Cohort[] {
  return cohortsBy(customers, (customer) => earliestSpan(customer, (span) => span.mrr_cents > 0))
}

/** Cells of the retention matrix of days `start` to `end` (D48). */
export function matrixRows(cohorts: readonly Cohort[], start: string, end: string, now: string) {
  const months = monthsOf(start, end, now)
  const dayAfterEnd = `${nextDay(end)} 00:00:00`
  return cohorts
    .filter(({ month }) => months.includes(month))
    .flatMap(({ month, members }) =>
      months.slice(months.indexOf(month)).map((active_month, months_since) => {
        const ended = `${monthStart(active_month, 1)} 00:00:00`
        const [first = ended] = [ended, dayAfterEnd].sort()
        const held = ({ spans }: FoldedCustomer) => (now < first ? spansAt(spans, now) : spansBefore(spans, first))
        const live = members.filter((member) => months_since === 0 || held(member).some((span) => span.is_live))
        return {
          cohort_month: month,
          active_month,
          months_since,
          cohort_size: members.length,
          active_count: live.length,
          retention_rate: Number(new Big(live.length).div(members.length).round(6, Big.roundHalfUp)),
          is_complete: ended <= dayAfterEnd && ended <= now,
        }
      }),
    )
}

/**
 * Cells of the revenue matrix of days `start` to `end` (D71). In the gross rate a customer counts at most its first amount. Amounts are base
 * cents, or original cents if `unit` is original.
 */
export function revenueMatrixRows(
  cohorts: readonly Cohort[],
  start: string,
  end: string,
  now: string,
  unit: 'base' | 'original',
) {
  const months = monthsOf(start, end, now)
  const dayAfterEnd = `${nextDay(end)} 00:00:00`
  return cohorts
    .filter(({ month }) => months.includes(month))
    .flatMap(({ month, members }) => {
      const amountsIn = (active: string) => {
        const [first = dayAfterEnd] = [`${monthStart(active, 1)} 00:00:00`, dayAfterEnd].sort()
        return members.map(({ spans }) => {
          const held = now < first ? spansAt(spans, now) : spansBefore(spans, first)
          return unit === 'base' ? mrrOf(held) : held.reduce((sum, span) => sum + span.mrr_cents, 0)
        })
      }
      const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
      const before = amountsIn(month)
      return months.slice(months.indexOf(month)).map((active_month, months_since) => {
        const ended = `${monthStart(active_month, 1)} 00:00:00`
        const amounts = amountsIn(active_month)
        const rate = (part: number) => roundedTo(6, share(part, sumOf(before)))
        return {
          cohort_month: month,
          active_month,
          months_since,
          start_mrr: sumOf(before),
          mrr: sumOf(amounts),
          net_retention_rate: rate(sumOf(amounts)),
          gross_retention_rate: rate(sumOf(amounts.map((amount, index) => Math.min(amount, before[index] ?? 0)))),
          is_complete: ended <= dayAfterEnd && ended <= now,
        }
      })
    })
}

function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

/** Cents of an invoice, in the account's currency or in base at the rate of its payment (D13, D54). */
function paidCents({ amount, currency, paid_at }: FoldedCustomer['paid_invoices'][number], rates: RateTable | null): number {
  const cents = Number(amount.times(100).round(0, Big.roundHalfUp))
  if (rates === null) return cents
  const base = baseCents(cents, currency, paid_at.slice(0, 10), rates)
  if (base === null) throw new Error('a rate is missing')
  return base
}

/** Size and revenue of every month's cohort (D51); `rates` null = original cents. */
export function cohortRevenueRows(
  customers: readonly FoldedCustomer[],
  months: readonly string[],
  range: Range,
  rates: RateTable | null,
) {
  const cohorts = new Map(payingCohorts(customers).map(({ month, members }) => [month, members]))
  return months.map((cohort_month) => {
    const members = cohorts.get(cohort_month) ?? []
    const invoices = members.flatMap((member) => member.paid_invoices.filter((invoice) => isIn(invoice.paid_at, range)))
    const total = invoices.reduce((sum, invoice) => sum + paidCents(invoice, rates), 0)
    return {
      cohort_month,
      customer_count: members.length,
      total_revenue: total,
      avg_revenue_per_customer:
        members.length === 0 ? null : Number(new Big(total).div(members.length).round(2, Big.roundHalfUp)),
    }
  })
}
