import Big from 'big.js'
import type { Row } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import type { Tables } from '../data/killbill/tables.ts'
import type { FoldedCustomer } from './fold/fold-tables.ts'
import { monthStart, monthsBetween } from './killbill/fold/instant.ts'
import type { SlicedFact } from './slice-loops.ts'

export interface SlicedCharge extends SlicedFact {
  readonly date: string
  readonly service_month: string
  readonly paid_at: string
  readonly currency: string
  readonly cents: number
  readonly base_cents: number
}

/**
 * Usage charges (D55, D59, D61) worked out from the items of the paid invoices; what is folded is only when an invoice was paid and
 * which spans a subscription has.
 */
export function chargesOf(customers: readonly FoldedCustomer[], tables: Tables, rates: readonly FxRate[]): SlicedCharge[] {
  const items = new Map<string, Row[]>()
  for (const item of tables('invoice_items')) items.set(keyOf(item), [...(items.get(keyOf(item)) ?? []), item])
  const adjustments = tables('invoice_items').filter((item) => item['type'] === 'ITEM_ADJ')
  return customers.flatMap((customer) =>
    customer.paid_invoices.flatMap(({ invoice_id, paid_at, currency }) =>
      (items.get(invoice_id) ?? [])
        .filter((item) => item['type'] === 'USAGE' && instant(item['created_date']) <= paid_at)
        .flatMap((item) => {
          const subscription_id = String(item['subscription_id'])
          const amount = adjustments
            .filter((other) => other['linked_item_id'] === item['id'] && instant(other['created_date']) <= paid_at)
            .reduce((sum, other) => sum.plus(String(other['amount'])), new Big(String(item['amount'])))
          const cents = Number(amount.times(100).round(0, Big.roundHalfUp).toFixed())
          return splitOf(item, cents).map((part) => ({
            customer,
            subscription_id,
            ...heldBy(customer, subscription_id, planOf(item), paid_at),
            ...part,
            at: `${part.date} 00:00:00`,
            paid_at,
            currency,
            base_cents: inBase(part.cents, currency, paid_at.slice(0, 10), rates),
          }))
        }),
    ),
  )
}

function keyOf(item: Row): string {
  return String(item['invoice_id'])
}

function instant(cell: unknown): string {
  return String(cell).slice(0, 19)
}

function planOf(item: Row): string | null {
  return item['phase_name'] === null ? null : String(item['phase_name']).replace(/-[a-z]+$/, '')
}

function splitOf(item: Row, cents: number): { date: string; service_month: string; cents: number }[] {
  const start = String(item['start_date'])
  const count = item['end_date'] === null ? 1 : Math.max(1, monthsBetween(start, String(item['end_date'])))
  const share = Math.floor(cents / count)
  return Array.from({ length: count }, (_, index) => ({
    date: index === 0 ? start : monthStart(start, index),
    service_month: monthStart(start, index),
    cents: index < count - 1 ? share : cents - share * (count - 1),
  }))
}

function heldBy(customer: FoldedCustomer, subscription_id: string, plan: string | null, paidAt: string) {
  const begun = customer.spans
    .filter((span) => span.subscription_id === subscription_id && span.valid_from <= paidAt)
    .sort((a, b) => (a.valid_from < b.valid_from ? 1 : -1))
  const [newest] = begun
  const billed = plan ?? newest?.plan ?? null
  return {
    plan: billed,
    plan_key: (plan === null ? newest : begun.find((span) => span.plan === plan))?.plan_key ?? null,
    price_list: newest?.price_list ?? null,
  }
}

function inBase(cents: number, currency: string, day: string, rates: readonly FxRate[]): number {
  if (currency === 'USD' || cents === 0) return cents
  const dated = rates.filter((rate) => rate.from === currency && rate.to === 'USD' && rate.date <= day)
  const newest = dated.reduce((latest, rate) => (rate.date > latest.date ? rate : latest))
  return Number(new Big(cents).times(newest.rate).round(0, Big.roundHalfUp).toFixed())
}
