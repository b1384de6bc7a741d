import { sumOrNull } from '../../../core/amount.ts'
import { unitsOf } from '../../../core/currency.ts'
import { instantCell, integerCell, integerOrNull, textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { NOTICE_FACTS, NOTICE_KINDS } from './kinds.ts'
import type { Notice } from './rows.ts'

/** The statement of a notice. Other fields come from its subject. */
type Told = Pick<Notice, 'kind' | 'sentence'> & Partial<Notice>

/** A notice about the subject of a row. */
export function notice(row: Row, told: Told): Notice {
  return {
    customer_id: textOf(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    source_id: textOf(row, 'source_id'),
    tenant: textCell(row, 'tenant_name'),
    subscription_id: 'subscription_id' in row ? textCell(row, 'subscription_id') : null,
    plan_id: 'plan_id' in row ? textCell(row, 'plan_id') : null,
    invoice_id: 'invoice_id' in row ? textCell(row, 'invoice_id') : null,
    invoice_number: 'invoice_number' in row ? textCell(row, 'invoice_number') : null,
    since: null,
    currency: 'currency' in row ? textCell(row, 'currency') : null,
    amount_cents: 0,
    amount_base_cents: 0,
    monthly_cents: 0,
    monthly_base_cents: 0,
    remedy: NOTICE_FACTS[told.kind].remedy,
    admin_url: null,
    mark: null,
    ...told,
  }
}

/** The MRR of subscriptions. */
export function mrrOf(rows: readonly Row[]): Partial<Notice> {
  const known = (column: string) => rows.map((row) => (isUnpriced(row) ? null : integerOrNull(row, column)))
  return { monthly_cents: inOneCurrency(rows, known('mrr_cents')), monthly_base_cents: sumOrNull(known('mrr_base_cents')) }
}

/** The open amounts of invoices. */
export function amountOf(rows: readonly Row[]): Partial<Notice> {
  const known = (column: string) => rows.map((row) => integerOrNull(row, column))
  return { amount_cents: inOneCurrency(rows, known('amount_cents')), amount_base_cents: sumOrNull(known('amount_base_cents')) }
}

// A sum of several currencies has no currency.
function inOneCurrency(rows: readonly Row[], amounts: readonly (number | null)[]): number | null {
  return new Set(rows.map((row) => textCell(row, 'currency'))).size > 1 ? null : sumOrNull(amounts)
}

/** True if the price of the subscription is unknown. */
export function isUnpriced(row: Row): boolean {
  return integerCell(row, 'is_unpriced') === 1
}

/** An amount of a month in words. */
export function monthly(row: Row, column: string): string {
  const currency = textCell(row, 'currency') ?? ''
  return `${unitsOf(integerCell(row, column), currency)} ${currency} a month`
}

/** The day of an instant; null if the row has none. */
export function dayIn(row: Row, column = 'since_at'): string | null {
  return column in row ? (instantCell(row, column)?.slice(0, 10) ?? null) : null
}

/** A key that is unique over all sources. */
export function keyOf<Column extends string>(row: { readonly [Name in Column | 'source_id']?: unknown }, column: Column): string {
  return JSON.stringify([row['source_id'], row[column]])
}

/** The customer of a row. */
export function customerOf(row: Row): string {
  return keyOf(row, 'customer_id')
}

/** The order of notices: the largest amount of a month, then the largest open amount. */
export function byAmount(a: Notice, b: Notice): number {
  const size = (amount: number | null) => Math.abs(amount ?? 0)
  const name = ({ customer_id, subscription_id, invoice_id }: Notice) =>
    `${customer_id} ${subscription_id ?? ''} ${invoice_id ?? ''}`
  return (
    size(b.monthly_base_cents) - size(a.monthly_base_cents) ||
    size(b.amount_base_cents) - size(a.amount_base_cents) ||
    NOTICE_KINDS.indexOf(a.kind) - NOTICE_KINDS.indexOf(b.kind) ||
    (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0)
  )
}
