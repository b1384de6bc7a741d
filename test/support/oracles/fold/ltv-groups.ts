import Big from 'big.js'
import type { SliceValue } from '../slice-loops.ts'
import { type Cut, centsOf, logoGroups, WHOLE } from './churn-and-retention.ts'
import { monthsOf } from './cohort-rows.ts'
import type { FoldedCustomer } from './fold-tables.ts'
import { type Ledger, type Range, rangeOf, spansOn } from './ledger-figures.ts'

/** MRR at a day and the customers that pay any of it, by the group of each span (D49). */
export function payingGroups(ledger: Ledger, day: string, cut: Cut = WHOLE): Map<SliceValue, { mrr: number; payers: number }> {
  const groups = new Map<SliceValue, { mrr: number; payers: number }>()
  for (const customer of ledger.customers) {
    const own = new Map<SliceValue, number>()
    for (const span of spansOn(customer.spans, day, ledger.now)) {
      const group = cut.groupOf(customer, span.subscription_id, span)
      own.set(group, (own.get(group) ?? 0) + centsOf(cut.unit, span.mrr_cents, span.mrr_base_cents))
    }
    for (const [group, mrr] of own) {
      const known = groups.get(group) ?? { mrr: 0, payers: 0 }
      groups.set(group, { mrr: known.mrr + mrr, payers: known.payers + (mrr > 0 ? 1 : 0) })
    }
  }
  return groups
}

/** Rounded as answers are (http-api.md 1.3); null stays. */
export function roundedTo(decimals: number, value: Big | null): number | null {
  return value === null ? null : Number(value.round(decimals, Big.roundHalfUp))
}

/** a / b; null on 0. */
export function share(a: number, b: number): Big | null {
  return b === 0 ? null : new Big(a).div(b)
}

/** Monthly logo churn rate of a range by group (D50): the mean of its full months, else its own rate brought to a month. */
export function monthlyChurn(
  ledger: Ledger,
  start: string,
  end: string,
  groupOf: (customer: FoldedCustomer) => SliceValue = () => null,
): Map<SliceValue, Big> {
  const full = monthsOf(start, end, ledger.now)
    .map((month) => ({ start: month, end: lastDay(month) }))
    .filter((month) => month.start >= start && month.end <= end && rangeOf(start, month.end, ledger.now).to !== null)
  const ranges: readonly Range[] =
    full.length > 0 ? full.map((month) => rangeOf(month.start, month.end, ledger.now)) : [rangeOf(start, end, ledger.now)]
  const rates = new Map<SliceValue, Big[]>()
  for (const range of ranges) {
    for (const [group, { live, churned }] of logoGroups(ledger, range, groupOf))
      rates.set(group, [...(rates.get(group) ?? []), new Big(churned).div(live)])
  }
  return new Map(
    [...rates].map(([group, own]) => {
      const mean = own.reduce((sum, rate) => sum.plus(rate), new Big(0)).div(own.length)
      return [group, full.length > 0 ? mean : perMonth(mean, start, end, ledger.now)]
    }),
  )
}

function perMonth(rate: Big, start: string, end: string, now: string): Big {
  const last = end < now.slice(0, 10) ? end : now.slice(0, 10)
  const days = (Date.parse(last) - Date.parse(start)) / 86_400_000 + 1
  const scaled = rate.times(365).div(12 * days)
  return scaled.gt(1) ? new Big(1) : scaled
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
}

/** Simple LTV by group (D50). */
export function simpleLtv(ledger: Ledger, start: string, end: string, cut: Cut = WHOLE) {
  const rates = monthlyChurn(ledger, start, end, (customer) => cut.groupOf(customer, '', null))
  const paying = payingGroups(ledger, end, cut)
  const groups = new Set([...rates.keys(), ...paying.keys()])
  return new Map(
    [...groups].map((group) => {
      const { mrr, payers } = paying.get(group) ?? { mrr: 0, payers: 0 }
      const [arpu, rate] = [share(mrr, payers), rates.get(group) ?? null]
      const ltv = arpu === null || rate === null || rate.eq(0) ? null : arpu.div(rate)
      return [group, { ltv: roundedTo(2, ltv), arpu: roundedTo(2, arpu), logo_churn_rate: roundedTo(6, rate) }]
    }),
  )
}
