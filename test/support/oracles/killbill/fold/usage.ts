import { planOfPhase } from '../../../../../connectors/killbill/catalog/catalog-version.ts'
import { exactly } from '../../../../../src/core/too-large.ts'
import { centsOf } from './amount.ts'
import { groupBy, ordered } from './group.ts'
import { compareInstants, type Instant, monthStart, monthsBetween } from './instant.ts'
import type { Ledger, Settlement } from './paid-invoices.ts'
import type { InvoiceItemRow } from './rows.ts'

/** A usage charge (D55). */
export interface UsageCharge {
  /** `record_id` of the item. */
  readonly charge_id: number
  /** Plan of the item's phase. Null if the item names no phase. */
  readonly plan: string | null
  readonly subscription_id: string
  readonly currency: string
  readonly paid_at: Instant
  /** The start of the item's service period in its first month, or else the first day of the month. */
  readonly date: string
  /** First day of the month of service. */
  readonly service_month: string
  readonly cents: number
}

/** USAGE items of paid invoices with their adjustments, one charge per month of service (D55). */
export function usageChargesOf(
  ledger: Ledger,
  paid: readonly Settlement[],
  adjustments: readonly InvoiceItemRow[],
): UsageCharge[] {
  const adjustmentsOf = groupBy(adjustments, (item) => item.linked_item_id ?? '')
  return paid.flatMap((invoice) =>
    ledger
      .itemsOf(invoice.invoice_id)
      .filter((item) => item.type === 'USAGE' && item.created_date <= invoice.paid_at)
      .flatMap((item) => splitByMonth(item, invoice, netCents(item, adjustmentsOf.get(item.id) ?? [], invoice.paid_at))),
  )
}

function netCents(item: InvoiceItemRow, adjustments: readonly InvoiceItemRow[], paidAt: Instant): number {
  const counted = adjustments.filter((adjustment) => adjustment.created_date <= paidAt)
  return centsOf(counted.reduce((sum, adjustment) => sum + adjustment.amount, item.amount))
}

function splitByMonth(item: InvoiceItemRow, invoice: Settlement, cents: number): UsageCharge[] {
  const { record_id, phase_name, subscription_id, start_date, end_date } = item
  if (subscription_id === null || start_date === null) return []
  const count = Math.max(1, end_date === null ? 1 : monthsBetween(start_date, end_date))
  const share = Math.floor(cents / count)
  return Array.from({ length: count }, (_, month) => ({
    charge_id: record_id,
    plan: phase_name === null ? null : planOfPhase(phase_name),
    subscription_id,
    currency: invoice.currency,
    paid_at: invoice.paid_at,
    date: month === 0 ? start_date : monthStart(start_date, month),
    service_month: monthStart(start_date, month),
    cents: month === count - 1 ? cents - share * (count - 1) : share,
  }))
}

/** Charges of one subscription, newest month of service first, as `usageMean` needs them. */
export function newestMonthFirst(charges: readonly UsageCharge[]): readonly UsageCharge[] {
  return ordered([...charges].reverse(), (a, b) => compareInstants(b.service_month, a.service_month))
}

const MONTHS = 3

/** Usage component of one subscription's charges at an instant (D29, rules 1 to 3): mean of the newest three paid months. */
export function usageMean(newestFirst: readonly UsageCharge[], at: Instant): number {
  let months = 0
  let month: string | null = null
  let total = 0
  for (const charge of newestFirst) {
    if (charge.paid_at > at) continue
    if (charge.service_month !== month) {
      if (months === MONTHS) break
      months += 1
      month = charge.service_month
    }
    total = exactly(total + charge.cents, 'usage_mrr_cents', { subscription_id: charge.subscription_id })
  }
  return months === 0 ? 0 : Math.max(0, Math.floor(total / months))
}
