import type { Movement } from '../killbill/fold/movements.ts'
import type { Span } from '../killbill/fold/span.ts'
import type { SliceValue } from '../slice-loops.ts'
import type { FoldedCustomer } from './fold-tables.ts'
import { isIn, type Ledger, movementsIn, type Range } from './ledger-figures.ts'
import { spansBefore } from './levels.ts'

/** How a ratio is cut: the group of a subscription by its span just before the range (null = it has none then), and the unit. */
export interface Cut {
  readonly groupOf: (customer: FoldedCustomer, subscription: string, held: Span | null) => SliceValue
  readonly unit: 'base' | 'original'
}

/** No groups, base cents. */
export const WHOLE: Cut = { groupOf: () => null, unit: 'base' }

/** Sums of one group over the customers of the start cohort. */
export interface RatioSums {
  start: number
  /** The remaining MRR with and without gains, capped per customer and group. */
  net: number
  gross: number
  expansion: number
  contraction: number
  churn: number
  reactivation: number
}

/** Cents of a span or movement in a unit; a missing rate fails. */
export function centsOf(unit: Cut['unit'], original: number, base: number | null): number {
  if (unit === 'original') return original
  if (base === null) throw new Error('a rate is missing')
  return base
}

/** Customers live just before the range, and those of them that churn inside it, by group (D41). */
export function logoGroups(
  ledger: Ledger,
  range: Range,
  groupOf: (customer: FoldedCustomer) => SliceValue = () => null,
): Map<SliceValue, { live: number; churned: number }> {
  const groups = new Map<SliceValue, { live: number; churned: number }>()
  for (const customer of ledger.customers) {
    if (!spansBefore(customer.spans, range.from).some((span) => span.is_live)) continue
    const group = groupOf(customer)
    const counts = groups.get(group) ?? { live: 0, churned: 0 }
    groups.set(group, counts)
    counts.live++
    if (customer.logo_churn.some((at) => isIn(at, range))) counts.churned++
  }
  return groups
}

/** Customers with MRR just before the range, and their spans then (D43). */
export function startCohort(ledger: Ledger, range: Range, unit: Cut['unit'] = 'base') {
  return ledger.customers
    .map((customer) => ({ customer, held: spansBefore(customer.spans, range.from) }))
    .filter(({ held }) => held.reduce((sum, span) => sum + centsOf(unit, span.mrr_cents, span.mrr_base_cents), 0) > 0)
}

/** Sums of the start cohort by group (D43 to D45, D61): the state just before the range decides the group of all its rows. */
export function ratioGroups(ledger: Ledger, range: Range, cut: Cut = WHOLE): Map<SliceValue, RatioSums> {
  const groups = new Map<SliceValue, RatioSums>()
  for (const { customer, held } of startCohort(ledger, range, cut.unit)) {
    const groupOf = (subscription: string) =>
      cut.groupOf(customer, subscription, held.find((span) => span.subscription_id === subscription) ?? null)
    const rows = countedRows(customer, range)
    for (const group of new Set([...held, ...rows].map((row) => groupOf(row.subscription_id)))) {
      const own = rows.filter((row) => groupOf(row.subscription_id) === group)
      const start = held
        .filter((span) => groupOf(span.subscription_id) === group)
        .reduce((sum, span) => sum + centsOf(cut.unit, span.mrr_cents, span.mrr_base_cents), 0)
      addMember(groups, group, start, own, customer.lines, cut.unit)
    }
  }
  return groups
}

/** Movements of a range without bundle transfers (D34). */
export function countedRows(customer: FoldedCustomer, range: Range): Movement[] {
  return movementsIn(customer.movements, range).filter((movement) => movement.reason !== 'bundle_transfer')
}

function addMember(
  groups: Map<SliceValue, RatioSums>,
  group: SliceValue,
  start: number,
  rows: readonly Movement[],
  lines: ReadonlyMap<string, string>,
  unit: Cut['unit'],
): void {
  const sums = groups.get(group) ?? { start: 0, net: 0, gross: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0 }
  groups.set(group, sums)
  const [gain, loss] = gainAndLoss(rows, lines, unit)
  sums.start += start
  sums.net += Math.max(0, start + gain - loss)
  sums.gross += Math.max(0, start - loss)
  for (const row of rows) {
    if (row.movement_type !== 'new') sums[row.movement_type] += centsOf(unit, row.amount_cents, row.amount_base_cents)
  }
}

/** D45: a swap group counts by its net amount: the swapped rows of one instant and bundle line (D33), or of a switch to another currency (D85). */
function gainAndLoss(rows: readonly Movement[], lines: ReadonlyMap<string, string>, unit: Cut['unit']): [number, number] {
  const amounts = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (row.movement_type === 'new' || row.movement_type === 'reactivation') continue
    const group = row.is_switch ? 'switch' : lines.get(row.subscription_id)
    const key = row.is_swap ? `swap ${row.occurred_at} ${group}` : `row ${index}`
    amounts.set(key, (amounts.get(key) ?? 0) + centsOf(unit, row.amount_cents, row.amount_base_cents))
  }
  let [gain, loss] = [0, 0]
  for (const amount of amounts.values()) {
    if (amount > 0) gain += amount
    else loss -= amount
  }
  return [gain, loss]
}

/** D41. */
export function logoChurn(ledger: Ledger, range: Range) {
  const { live, churned } = logoGroups(ledger, range).get(null) ?? { live: 0, churned: 0 }
  return { logo_churn_rate: live === 0 ? null : churned / live, churn_count: churned, active_at_start: live }
}

/** D44. */
export function revenueChurn(ledger: Ledger, range: Range) {
  const sums = ratioGroups(ledger, range).get(null)
  const [start, lost] = [sums?.start ?? 0, Math.abs(sums?.churn ?? 0)]
  const losers = startCohort(ledger, range).filter(({ customer }) =>
    countedRows(customer, range).some((row) => row.movement_type === 'churn'),
  )
  return {
    revenue_churn_rate: start === 0 ? null : lost / start,
    revenue_lost: lost,
    start_mrr: start,
    customers: losers.length,
  }
}

/** D45. */
export function retention(ledger: Ledger, range: Range) {
  const sums = ratioGroups(ledger, range).get(null)
  const start = sums?.start ?? 0
  return {
    nrr: start === 0 ? null : (sums?.net ?? 0) / start,
    grr: start === 0 ? null : (sums?.gross ?? 0) / start,
    nrr_numerator: sums?.net ?? 0,
    grr_numerator: sums?.gross ?? 0,
    start_mrr: start,
    expansion: sums?.expansion ?? 0,
    contraction: sums?.contraction ?? 0,
    churn: sums?.churn ?? 0,
    reactivation: sums?.reactivation ?? 0,
  }
}
