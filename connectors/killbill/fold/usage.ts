import Big from 'big.js'
import { groupBy } from './group.ts'
import { type Instant, monthStart, monthsBetween } from './instant.ts'
import type { Ledger, PaidInvoice } from './paid-invoices.ts'
import { roundToInteger } from './rates.ts'
import type { InvoiceItemRow } from './rows.ts'

/** A usage charge (D55). */
export interface UsageCharge {
  readonly subscription_id: string
  readonly currency: string
  readonly paid_at: Instant
  /** Day to which it belongs. */
  readonly date: string
  /** First day of the month of service. */
  readonly service_month: string
  readonly cents: number
}

/** USAGE items of paid invoices with their adjustments, one charge per month of service (D55). */
export function usageChargesOf(
  ledger: Ledger,
  paid: readonly PaidInvoice[],
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
  return roundToInteger(counted.reduce((sum, adjustment) => sum.plus(adjustment.amount), new Big(item.amount)).times(100))
}

function splitByMonth(item: InvoiceItemRow, invoice: PaidInvoice, cents: number): UsageCharge[] {
  const { subscription_id, start_date, end_date } = item
  if (subscription_id === null || start_date === null) return []
  const count = Math.max(1, end_date === null ? 1 : monthsBetween(start_date, end_date))
  const share = Math.floor(cents / count)
  return Array.from({ length: count }, (_, month) => ({
    subscription_id,
    currency: invoice.currency,
    paid_at: invoice.paid_at,
    date: month === 0 ? start_date : monthStart(start_date, month),
    service_month: monthStart(start_date, month),
    cents: month === count - 1 ? cents - share * (count - 1) : share,
  }))
}

/** Usage component of one subscription's charges at an instant (D29, rules 1 to 3): mean of the newest three paid months. */
export function usageMean(charges: readonly UsageCharge[], at: Instant): number {
  const paid = charges.filter((charge) => charge.paid_at <= at)
  const months = groupBy(paid, (charge) => charge.service_month)
  const newest = [...months.keys()].sort().slice(-3)
  if (newest.length === 0) return 0
  const total = newest.flatMap((month) => months.get(month) ?? []).reduce((sum, charge) => sum + charge.cents, 0)
  return Math.max(0, Math.floor(total / newest.length))
}
