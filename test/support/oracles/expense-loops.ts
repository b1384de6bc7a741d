import type { FxRate } from '../../../src/core/currency.ts'
import type {
  AccountRecord,
  BillRecord,
  ExpenseLine,
  ItemRecord,
  PurchaseRecord,
  VendorRecord,
} from '../../../src/core/expense.ts'
import type { Told } from '../data/drawn-books.ts'

/** A line that counts, as plain loops find it. */
export interface CountedLine {
  readonly date: string
  readonly currency: string
  readonly cents: number
  /** Null where no rate is known. */
  readonly base: number | null
  readonly account_type: string
  readonly vendor_id: string | null
  readonly vendor_name: string
  readonly class: string | null
  readonly department: string | null
  readonly project: string | null
}

/** The lines of bills and expenses dated up to `today` that neither voided nor deleted (D60), with base cents in USD (D11, D13). */
export function countedLines(told: Told, rates: readonly FxRate[], today: string): readonly CountedLine[] {
  const deleted = new Set(
    told.filter((record) => !('is_deleted' in record)).map(({ kind, external_id }) => `${kind} ${external_id}`),
  )
  const accounts = new Map<string, AccountRecord>()
  const items = new Map<string, ItemRecord>()
  const vendors = new Map<string, VendorRecord>()
  const documents: (BillRecord | PurchaseRecord)[] = []
  for (const record of told) {
    if (!('is_deleted' in record)) continue
    if (record.kind === 'account') accounts.set(record.external_id, record)
    if (record.kind === 'item') items.set(record.external_id, record)
    if (record.kind === 'vendor') vendors.set(record.external_id, record)
    if (record.kind === 'bill' || record.kind === 'expense') documents.push(record)
  }
  const lines: CountedLine[] = []
  for (const document of documents) {
    const isVoided = document.kind === 'bill' ? document.status === 'voided' : document.is_voided
    if (isVoided || document.is_deleted || deleted.has(`${document.kind} ${document.external_id}`)) continue
    if (document.document_date > today) continue
    const { vendor_external_id: vendor_id } = document
    for (const line of document.lines) {
      const account = accounts.get(accountOf(line, items) ?? '')
      lines.push({
        date: document.document_date,
        currency: document.currency,
        cents: line.amount_cents,
        base: baseCents(line.amount_cents, document, rates),
        account_type: account?.account_type ?? 'unknown',
        vendor_id,
        vendor_name: vendor_id === null ? '(unassigned)' : (vendors.get(vendor_id)?.name ?? vendor_id),
        class: line.dimensions.class ?? null,
        department: line.dimensions.department ?? null,
        project: line.dimensions.project ?? null,
      })
    }
  }
  return lines
}

function accountOf(line: ExpenseLine, items: ReadonlyMap<string, ItemRecord>): string | null {
  const item = items.get(line.item_external_id ?? '')
  return item === undefined ? line.account_external_id : item.account_external_id
}

function baseCents(cents: number, document: BillRecord | PurchaseRecord, rates: readonly FxRate[]): number | null {
  if (document.currency === 'USD' || cents === 0) return cents
  if (document.home_currency === 'USD' && document.exchange_rate !== null) return times(cents, document.exchange_rate)
  let newest: FxRate | undefined
  for (const rate of rates) {
    if (rate.from !== document.currency || rate.to !== 'USD' || rate.date > document.document_date) continue
    if (newest === undefined || rate.date >= newest.date) newest = rate
  }
  return newest === undefined ? null : times(cents, newest.rate)
}

/** Exact product, rounded half away from zero (D8). */
function times(cents: number, rate: string): number {
  const [whole = '', places = ''] = rate.split('.')
  const scale = 10n ** BigInt(places.length)
  const product = BigInt(Math.abs(cents)) * BigInt(whole + places)
  const rounded = Number((2n * product + scale) / (2n * scale))
  return cents < 0 ? 0 - rounded : rounded
}
