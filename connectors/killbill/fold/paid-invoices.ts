import Big from 'big.js'
import { groupBy } from './group.ts'
import { earliest, type Instant } from './instant.ts'
import { type AccountRows, type InvoiceItemRow, type InvoiceRow, TAG_WRITTEN_OFF, type TagRow } from './rows.ts'

/** A paid invoice (D52 to D54). */
export interface PaidInvoice {
  readonly invoice_id: string
  readonly currency: string
  readonly paid_at: Instant
  /** Charged amount in major units. */
  readonly amount: Big
}

/** The tables that tell when an invoice was paid. */
export type InvoiceTables = Pick<AccountRows, 'invoices' | 'invoice_history' | 'invoice_items' | 'invoice_payments' | 'tags'>

/** Items and payments of an account up to now, looked up by invoice. */
export interface Ledger {
  readonly invoices: readonly InvoiceRow[]
  readonly itemsOf: (invoiceId: string) => readonly InvoiceItemRow[]
  readonly settledAt: (invoice: InvoiceRow) => Instant | null
}

const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0
  return THREE_DECIMALS.includes(currency) ? 3 : 2
}

/** Rows of an account's invoices as they stood at `now` (D2). */
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
    const entries = [
      ...(items.get(invoice.id) ?? []).map((item) => ({ at: item.created_date, amount: new Big(item.amount) })),
      ...(payments.get(invoice.id) ?? []).map((payment) => ({
        at: payment.payment_date,
        amount: new Big(payment.amount).times(-1),
      })),
    ]
    const committedAt = committedAtOf(invoice, history.get(String(invoice.record_id)) ?? [])
    return committedAt > now
      ? null
      : notWrittenOff(invoice.id, rows.tags, firstSettled(entries, committedAt, decimalsOf(invoice.currency)))
  }
  const counted = rows.invoices.filter((invoice) => invoice.status === 'COMMITTED' && !invoice.migrated)
  return { invoices: counted, itemsOf: (invoiceId) => items.get(invoiceId) ?? [], settledAt }
}

/** Commit instant (KB 8.1): of a former draft the first history row that says so, else the creation. */
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
  readonly amount: Big
}

/** D53, KB 8.5: first instant, not before the commit, at which what is open is not above 0. */
function firstSettled(entries: readonly Entry[], committedAt: Instant, decimals: number): Instant | null {
  const instants = [...new Set([committedAt, ...entries.map((entry) => entry.at)])].filter((at) => at >= committedAt).sort()
  const isSettled = (at: Instant): boolean => {
    const open = entries.filter((entry) => entry.at <= at).reduce((sum, entry) => sum.plus(entry.amount), new Big(0))
    return open.round(decimals, Big.roundHalfUp).lte(0)
  }
  return instants.find(isSettled) ?? null
}

function notWrittenOff(invoiceId: string, tags: readonly TagRow[], paidAt: Instant | null): Instant | null {
  if (paidAt === null) return null
  const writtenOff = tags.some(
    (tag) =>
      tag.is_active &&
      tag.object_type === 'INVOICE' &&
      tag.object_id === invoiceId &&
      tag.tag_definition_id === TAG_WRITTEN_OFF &&
      tag.created_date < paidAt,
  )
  return writtenOff ? null : paidAt
}

/** Paid invoices of an account; a child invoice is paid when its parent is (`parents`: child invoice → that instant). */
export function paidInvoicesOf(ledger: Ledger, parents: ReadonlyMap<string, Instant | null>): PaidInvoice[] {
  return ledger.invoices
    .filter((invoice) => !invoice.parent_invoice)
    .flatMap((invoice) => {
      const linked = parents.get(invoice.id)
      const paidAt = linked === undefined ? ledger.settledAt(invoice) : linked
      if (paidAt === null) return []
      const items = ledger.itemsOf(invoice.id).filter((item) => item.created_date <= paidAt)
      return [{ invoice_id: invoice.id, currency: invoice.currency, paid_at: paidAt, amount: chargedAmount(items) }]
    })
}

/** D54, KB 8.2: all items without CBA_ADJ and without the pair that only moves account credit. */
function chargedAmount(items: readonly InvoiceItemRow[]): Big {
  if (isCreditMove(items)) return new Big(0)
  return items.filter((item) => item.type !== 'CBA_ADJ').reduce((sum, item) => sum.plus(item.amount), new Big(0))
}

function isCreditMove(items: readonly InvoiceItemRow[]): boolean {
  const [credit, move] = [items.find((item) => item.type === 'CREDIT_ADJ'), items.find((item) => item.type === 'CBA_ADJ')]
  return items.length === 2 && credit !== undefined && move !== undefined && new Big(credit.amount).plus(move.amount).eq(0)
}
