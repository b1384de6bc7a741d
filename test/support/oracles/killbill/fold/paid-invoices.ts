import type Big from 'big.js'
import { CONTROL_TAGS } from '../../../../../connectors/killbill/control-tags.ts'
import { type Amount, majorUnits, roundsToNothing } from './amount.ts'
import { groupBy, ordered } from './group.ts'
import { compareInstants, earliest, type Instant } from './instant.ts'
import type { AccountRows, InvoiceItemRow, InvoicePaymentRow, InvoiceRow, TagRow } from './rows.ts'

/** Payment instant of an invoice (D53). */
export interface Settlement {
  readonly invoice_id: string
  readonly currency: string
  readonly paid_at: Instant
}

/** A paid invoice (D52 to D54). */
export interface PaidInvoice extends Settlement {
  /** Charged amount in major units. */
  readonly amount: Big
}

/** Money that went back after an invoice was paid (D54). */
export interface Refund {
  readonly invoice_id: string
  readonly currency: string
  readonly refunded_at: Instant
  /** Amount in major units. */
  readonly amount: Big
}

/** The tables that show when an invoice was paid. */
export type InvoiceTables = Pick<AccountRows, 'invoices' | 'invoice_history' | 'invoice_items' | 'invoice_payments' | 'tags'>

/** Items and payments of an account up to now, looked up by invoice. */
export interface Ledger {
  readonly invoices: readonly InvoiceRow[]
  readonly itemsOf: (invoiceId: string) => readonly InvoiceItemRow[]
  readonly paymentsOf: (invoiceId: string) => readonly InvoicePaymentRow[]
  readonly settledAt: (invoice: InvoiceRow) => Instant | null
}

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0
  return THREE_DECIMALS.includes(currency) ? 3 : 2
}

/** Rows of an account's invoices in their state at `now` (D2). */
export function ledgerOf(rows: InvoiceTables, now: Instant): Ledger {
  const items = groupBy(
    rows.invoice_items.filter((item) => item.created_date <= now),
    (item) => item.invoice_id,
  )
  const payments = groupBy(
    rows.invoice_payments.filter((payment) => payment.status === 'SUCCESS' && payment.payment_date <= now),
    (payment) => payment.invoice_id,
  )
  const history = groupBy(rows.invoice_history, (row) => String(row.target_record_id))
  const settledAt = (invoice: InvoiceRow): Instant | null => {
    const committedAt = committedAtOf(invoice, history.get(String(invoice.record_id)) ?? [])
    if (committedAt > now) return null
    const entries = entriesOf(items.get(invoice.id) ?? [], payments.get(invoice.id) ?? [])
    return notWrittenOff(invoice.id, rows.tags, firstSettled(entries, committedAt, decimalsOf(invoice.currency)))
  }
  const counted = rows.invoices.filter((invoice) => invoice.status === 'COMMITTED' && !invoice.migrated)
  return {
    invoices: counted,
    itemsOf: (invoiceId) => items.get(invoiceId) ?? [],
    paymentsOf: (invoiceId) => payments.get(invoiceId) ?? [],
    settledAt,
  }
}

/** Commit instant (KB 8.1): the first COMMITTED history row of a former draft, or else the creation of the invoice. */
function committedAtOf(
  invoice: InvoiceRow,
  history: readonly { readonly status: string; readonly created_date: Instant }[],
): Instant {
  if (!history.some((row) => row.status === 'DRAFT')) return invoice.created_date
  const commits = history.filter((row) => row.status === 'COMMITTED').map((row) => row.created_date)
  return earliest(commits) ?? invoice.created_date
}

interface Entry {
  readonly at: Instant
  readonly amount: Amount
}

/** Charges of an invoice, and payments on it as negative amounts, in the order of their instants. */
function entriesOf(items: readonly InvoiceItemRow[], payments: readonly InvoicePaymentRow[]): Entry[] {
  const entries: Entry[] = []
  for (const item of items) entries.push({ at: item.created_date, amount: item.amount })
  for (const payment of payments) entries.push({ at: payment.payment_date, amount: -payment.amount })
  return ordered(entries, (a, b) => compareInstants(a.at, b.at))
}

/**
 * The first instant, not before the commit, at which the open amount is 0 or less (D53, KB 8.5). Entries are in the order of
 * their instants.
 */
function firstSettled(entries: readonly Entry[], committedAt: Instant, decimals: number): Instant | null {
  let at = committedAt
  let open: Amount = 0n
  for (const entry of entries) {
    if (entry.at > at) {
      if (roundsToNothing(open, decimals)) return at
      at = entry.at
    }
    open += entry.amount
  }
  return roundsToNothing(open, decimals) ? at : null
}

function notWrittenOff(invoiceId: string, tags: readonly TagRow[], paidAt: Instant | null): Instant | null {
  if (paidAt === null) return null
  const writtenOff = tags.some(
    (tag) =>
      tag.is_active &&
      tag.object_type === 'INVOICE' &&
      tag.object_id === invoiceId &&
      tag.tag_definition_id === CONTROL_TAGS.WRITTEN_OFF &&
      tag.created_date < paidAt,
  )
  return writtenOff ? null : paidAt
}

/**
 * Settled invoices of an account. `parents` maps a child's invoice to the instant at which its parent's invoice is settled. The
 * child's invoice is settled at the same instant.
 */
export function settlementsOf(ledger: Ledger, parents: ReadonlyMap<string, Instant | null>): Settlement[] {
  const settlements: Settlement[] = []
  for (const invoice of ledger.invoices) {
    if (invoice.parent_invoice) continue
    const linked = parents.get(invoice.id)
    const paidAt = linked === undefined ? ledger.settledAt(invoice) : linked
    if (paidAt !== null) settlements.push({ invoice_id: invoice.id, currency: invoice.currency, paid_at: paidAt })
  }
  return settlements
}

/** The settled invoice with the charged amount. */
export function paidInvoiceOf(settlement: Settlement, ledger: Ledger): PaidInvoice {
  const items = ledger.itemsOf(settlement.invoice_id).filter((item) => item.created_date <= settlement.paid_at)
  return { ...settlement, amount: majorUnits(chargedAmount(items)) }
}

/** Tax of a settled invoice in major units: its tax items and their adjustments, up to the payment. */
export function taxOf(settlement: Settlement, ledger: Ledger): Big {
  const items = ledger.itemsOf(settlement.invoice_id).filter((item) => item.created_date <= settlement.paid_at)
  const taxes = new Set(items.filter(({ type }) => type === 'TAX').map(({ id }) => id))
  const isTax = ({ type, linked_item_id }: InvoiceItemRow) =>
    type === 'TAX' || (type === 'ITEM_ADJ' && linked_item_id !== null && taxes.has(linked_item_id))
  return majorUnits(items.reduce((sum, item) => (isTax(item) ? sum + item.amount : sum), 0n))
}

/** Refunds of a settled invoice after its payment, by instant. */
export function refundsOf({ invoice_id, currency, paid_at }: Settlement, ledger: Ledger): readonly Refund[] {
  const later = ledger.paymentsOf(invoice_id).filter((payment) => payment.payment_date > paid_at)
  return [...groupBy(later, (payment) => payment.payment_date)].map(([refunded_at, payments]) => ({
    invoice_id,
    currency,
    refunded_at,
    amount: majorUnits(payments.reduce((sum, payment) => sum - payment.amount, 0n)),
  }))
}

/** All items except CBA_ADJ, and except the pair that only moves account credit (D54, KB 8.2). */
function chargedAmount(items: readonly InvoiceItemRow[]): Amount {
  if (isCreditMove(items)) return 0n
  return items.reduce((sum, item) => (item.type === 'CBA_ADJ' ? sum : sum + item.amount), 0n)
}

function isCreditMove(items: readonly InvoiceItemRow[]): boolean {
  if (items.length !== 2) return false
  const [credit, move] = [items.find((item) => item.type === 'CREDIT_ADJ'), items.find((item) => item.type === 'CBA_ADJ')]
  return credit !== undefined && move !== undefined && credit.amount + move.amount === 0n
}
