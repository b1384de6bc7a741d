import { parseInteger } from '../core/money.ts'
import { exactly } from '../core/too-large.ts'
import { textCell, textOf } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import type { ActiveSubscriptionRow, CustomerRow, InvoiceRow, MrrRow, MrrUsdRow, SubscriptionChangeRow } from './row-types.ts'
import { activeSubscription, customer, invoice, subscriptionChange } from './row-writers.ts'

/** Settings of one call. */
interface RowOptions {
  readonly signal?: AbortSignal
  /** Receives warnings about rows that are correct but incomplete in a known way. */
  readonly warn?: (warning: { readonly code: string; readonly message: string; readonly count?: number }) => void
}

/**
 * The contract of a same-database connector. It is the same for every connector. Days are `YYYY-MM-DD`, both ends included. A
 * call with `at` answers for the end of this day, or for now if the day is today (the default). Each call reads one snapshot.
 * Rows are ordered by source, then by time or id. AppError for invalid days, for relations that the connector lacks, and for
 * missing prices and rates.
 */
export interface ContractRows {
  /** Subscriptions live at the day (D22): active or paused. */
  getActiveSubscriptions(at?: string, options?: RowOptions): Promise<readonly ActiveSubscriptionRow[]>
  /** MRR in original cents, one row per source and currency that has any (D30). Needs no rate. */
  getMrrCents(at?: string, options?: RowOptions): Promise<readonly MrrRow[]>
  /** MRR in base cents, one row per source (D14, D30). */
  getMrrUsdCents(at?: string, options?: RowOptions): Promise<readonly MrrUsdRow[]>
  /** Movements of the days (D31 to D34). */
  getSubscriptionChanges(start: string, end: string, options?: RowOptions): Promise<readonly SubscriptionChangeRow[]>
  /** Customers created by the end of the day. */
  getCustomers(at?: string, options?: RowOptions): Promise<readonly CustomerRow[]>
  /** Invoices whose `invoice_date` is one of the days. */
  getInvoices(start: string, end: string, options?: RowOptions): Promise<readonly InvoiceRow[]>
}

/** Missing values of rows: unpriced spans or movements (D26), and amounts without a rate by currency, with the first and last day (D14). */
interface RowGaps {
  readonly unpriced: number
  readonly unrated: readonly {
    readonly currency: string
    readonly from: string
    readonly through: string
    readonly count: number
  }[]
}

/** One call, before it is prepared and read. */
export interface RowCall {
  readonly method: keyof ContractRows
  /** Template of sql/rows. */
  readonly query: string
  /** The days of the caller, not yet checked. */
  readonly days: { readonly at: string | undefined } | { readonly start: string; readonly end: string }
  /** `base` if base amounts decide the answer, so that rates are needed. */
  readonly unit: 'base' | 'original'
  gaps(rows: readonly Row[]): RowGaps
}

/** Rows of a call, with the tenants that were read. */
interface RowAnswer {
  readonly rows: readonly Row[]
  readonly base_currency: string
  readonly sources: readonly string[]
}

/** Checks the call, reads its rows in one snapshot and refuses rows with missing values. */
type ReadRows = (call: RowCall, options: RowOptions) => Promise<RowAnswer>

/** The six methods of the contract, written once over canonical relations. */
export function createRows(read: ReadRows): ContractRows {
  return {
    async getActiveSubscriptions(at, options = {}) {
      const call = { method: 'getActiveSubscriptions', query: 'active_subscriptions', days: { at }, unit: 'original' } as const
      const { rows } = await read({ ...call, gaps: noGaps }, options)
      return ordered(rows.map(activeSubscription), (row) => [row.source_id, row.subscription_id])
    },
    async getMrrCents(at, options = {}) {
      const call = { method: 'getMrrCents', query: 'mrr', days: { at }, unit: 'original' } as const
      const { rows } = await read({ ...call, gaps: (found) => ({ ...mrrGaps(found), unrated: [] }) }, options)
      const levels = rows.map((row) => ({
        source_id: textOf(row, 'source_id'),
        currency: textCell(row, 'currency'),
        mrr_cents: parseInteger(row['mrr_cents'], 'mrr_cents', row),
      }))
      return ordered(
        levels.filter((row) => row.mrr_cents !== 0),
        (row) => [row.source_id, row.currency ?? ''],
      )
    },
    async getMrrUsdCents(at, options = {}) {
      const call = { method: 'getMrrUsdCents', query: 'mrr', days: { at }, unit: 'base' } as const
      const { rows, base_currency, sources } = await read({ ...call, gaps: mrrGaps }, options)
      const levels = sources.map((source_id) => {
        const own = rows.filter((row) => row['source_id'] === source_id)
        return {
          source_id,
          base_currency,
          mrr_usd_cents: own.reduce(
            (sum, row) => exactly(sum + parseInteger(row['mrr_base_cents'], 'mrr_base_cents', row), 'mrr_base_cents', row),
            0,
          ),
        }
      })
      return ordered(levels, (row) => [row.source_id])
    },
    async getSubscriptionChanges(start, end, options = {}) {
      const call = {
        method: 'getSubscriptionChanges',
        query: 'subscription_changes',
        days: { start, end },
        unit: 'base',
      } as const
      const { rows } = await read({ ...call, gaps: changeGaps }, options)
      const changes = rows.filter((row) => parseInteger(row['amount_cents'], 'amount_cents', row) !== 0).map(subscriptionChange)
      return ordered(changes, (row) => [row.source_id, row.occurred_at, row.subscription_id, row.movement_source])
    },
    async getCustomers(at, options = {}) {
      const call = { method: 'getCustomers', query: 'customers', days: { at }, unit: 'original' } as const
      const { rows } = await read({ ...call, gaps: noGaps }, options)
      return ordered(rows.map(customer), (row) => [row.source_id, row.created_at, row.customer_id])
    },
    async getInvoices(start, end, options = {}) {
      const call = { method: 'getInvoices', query: 'invoices', days: { start, end }, unit: 'original' } as const
      const { rows } = await read({ ...call, gaps: noGaps }, options)
      return ordered(rows.map(invoice), (row) => [row.source_id, row.invoice_date, row.invoice_id])
    },
  }
}

function noGaps(): RowGaps {
  return { unpriced: 0, unrated: [] }
}

function mrrGaps(rows: readonly Row[]): RowGaps {
  return {
    unpriced: rows.reduce((sum, row) => sum + parseInteger(row['unpriced_count'], 'unpriced_count', row), 0),
    unrated: rows.flatMap((row) => {
      const count = parseInteger(row['unrated_count'], 'unrated_count', row)
      const [from, through] = ['unrated_from', 'unrated_through'].map((name) => (textCell(row, name) ?? '').slice(0, 10))
      return count === 0 ? [] : [{ currency: textCell(row, 'currency') ?? '', from: from ?? '', through: through ?? '', count }]
    }),
  }
}

function changeGaps(rows: readonly Row[]): RowGaps {
  const days = new Map<string, string[]>()
  for (const row of rows) {
    const day = textCell(row, 'unrated_on')
    const currency = textCell(row, 'currency') ?? ''
    if (day !== null) days.set(currency, [...(days.get(currency) ?? []), day.slice(0, 10)])
  }
  return {
    unpriced: rows.filter((row) => parseInteger(row['unpriced'], 'unpriced', row) === 1).length,
    unrated: [...days].map(([currency, list]) => {
      const sorted = list.sort()
      return { currency, from: sorted[0] ?? '', through: sorted.at(-1) ?? '', count: list.length }
    }),
  }
}

// By code point, because databases sort text by different rules.
function ordered<T>(rows: readonly T[], keyOf: (row: T) => readonly string[]): readonly T[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }))
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ row }) => row)
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index])
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1
}
