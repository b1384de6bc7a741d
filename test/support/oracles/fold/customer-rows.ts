import { centsOf, countedRows, startCohort } from './churn-and-retention.ts'
import type { FoldedCustomer } from './fold-tables.ts'
import { isIn, type Ledger, type Range } from './ledger-figures.ts'
import { spansAt, spansBefore } from './levels.ts'

/** Reason of the cancellation of a customer at an instant, as recorded (D46). */
export type ReasonOf = (customer: FoldedCustomer, at: string) => string | null

function named({ account }: FoldedCustomer) {
  return { customer_id: String(account['id']), customer_name: account['name'] === null ? null : String(account['name']) }
}

function churnCents(customer: FoldedCustomer, range: Range): number[] {
  return countedRows(customer, range)
    .filter((row) => row.movement_type === 'churn')
    .map((row) => centsOf('base', row.amount_cents, row.amount_base_cents))
}

/** One row per customer live just before the range, by id (D42). */
export function customerRows(ledger: Ledger, range: Range, reasonOf: ReasonOf) {
  const members = ledger.customers.filter(({ spans }) => spansBefore(spans, range.from).some((span) => span.is_live))
  const rows = members.map((customer) => {
    const [left = null] = customer.logo_churn.filter((at) => isIn(at, range)).sort()
    const last = range.to === null ? spansAt(customer.spans, ledger.now) : spansBefore(customer.spans, range.to)
    const start = spansBefore(customer.spans, range.from)
    return {
      ...named(customer),
      active_at_start: true,
      fully_churned: left !== null && !last.some((span) => span.is_live),
      churned_at: left === null ? null : `${left.replace(' ', 'T')}.000Z`,
      cancel_reason: left === null ? null : reasonOf(customer, left),
      churned_mrr_cents: Math.abs(churnCents(customer, range).reduce((sum, cents) => sum + cents, 0)),
      starting_mrr_cents: start.reduce((sum, span) => sum + centsOf('base', span.mrr_cents, span.mrr_base_cents), 0),
    }
  })
  return rows.sort((a, b) => (a.customer_id < b.customer_id ? -1 : 1))
}

/** One row per customer of the start cohort that lost MRR by churn, largest loss first (D44). */
export function revenueEventRows(ledger: Ledger, range: Range) {
  const rows = startCohort(ledger, range).map(({ customer }) => {
    const lost = churnCents(customer, range)
    return { ...named(customer), mrr_cents: 0 - lost.reduce((sum, cents) => sum + cents, 0), events: lost.length }
  })
  return rows
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.mrr_cents - a.mrr_cents || (a.customer_id < b.customer_id ? -1 : 1))
}
