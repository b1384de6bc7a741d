import type { CsvForm } from '../core/csv-form.ts'
import type { AccountType, BillKind, BillStatus, DeletedRecord, DocumentKind, ExpenseRecord } from '../core/expense.ts'
import type { StoredSource } from './source-store.ts'

/** How many records of each kind a call changed; vendor credits are counted beside bills. */
export type ChangedRecords = Readonly<Record<CountedKind, number>>
export const COUNTED_KINDS = ['vendor', 'account', 'item', 'bill', 'vendor_credit', 'expense', 'bill_payment'] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/** That nothing has changed. */
export function noChanges(): Record<CountedKind, number> {
  return { vendor: 0, account: 0, item: 0, bill: 0, vendor_credit: 0, expense: 0, bill_payment: 0 }
}

/** The side schema's books of a workspace: what accounting platforms and files say was bought. */
export interface ExpenseStore extends ExpenseLists {
  /**
   * Inserts or replaces records of a source in one transaction, a document with all its lines. A record that is not newer than what is kept
   * changes nothing, so that replays and late arrivals do no harm. AppError `canonical_enum_violation` before anything is written.
   */
  put(sourceId: string, records: readonly (ExpenseRecord | DeletedRecord)[]): Promise<ChangedRecords>
  /** Runs `work` in one transaction, for imports of any length; when it fails nothing is written. */
  change<T>(work: (writer: ExpenseWriter) => Promise<T>): Promise<T>
  /** Ids of a source's documents that are not deleted, ascending, after one of them; empty after the last. */
  documentIds(sourceId: string, kind: DocumentKind, after: string, limit: number): Promise<readonly string[]>
  /** Whether there is any document at all. */
  hasDocuments(): Promise<boolean>
}

export interface ExpenseWriter {
  put(sourceId: string, records: readonly (ExpenseRecord | DeletedRecord)[]): Promise<ChangedRecords>
  /** Those of these records that the source has and that are not deleted. */
  present(sourceId: string, kind: ExpenseRecord['kind'], ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The version of what a source of files is given at an instant: that instant, or the next millisecond after all that it was given before, so that
   * the order of imports decides and not the clocks of the machines that import.
   */
  nextVersion(sourceId: string, at: string): Promise<string>
  /** Keeps a source of files where there is none of this id, when it was last read, and the version of that. */
  touchSource(source: Pick<StoredSource, 'id' | 'type' | 'name'>, at: string, version: string): Promise<void>
}

/** What narrows a list of books, and the page of it. Days are `YYYY-MM-DD`, both included. */
export interface ExpenseListQuery {
  readonly limit: number
  readonly offset: number
  readonly source_id: string | undefined
  /** Part of the names that people know a row by, in any case. */
  readonly search: string | undefined
  readonly start: string | undefined
  readonly end: string | undefined
  /** Columns, each with the texts of which one must be there; null is a text that is not known. */
  readonly filters: ReadonlyMap<string, readonly (string | null)[]>
}

/** A page, and how many rows there are in all. */
export interface ListPage<T> {
  readonly total: number
  readonly rows: readonly T[]
}

/** An amount in cents, and what decides its worth in the base currency (D13). */
export interface DocumentAmount {
  readonly cents: number
  readonly currency: string
  readonly day: string
  /** The same in the home currency of the books, where the document says it. */
  readonly home_currency: string | null
  readonly home_cents: number | null
}

export interface ListedBill {
  readonly id: string
  readonly source_id: string
  readonly number: string | null
  readonly kind: BillKind
  readonly status: BillStatus | null
  readonly vendor_id: string | null
  readonly vendor_name: string | null
  readonly due_date: string | null
  readonly total: DocumentAmount
  /** What is still owed; nothing on a voided bill, negative on an open credit. */
  readonly payable: DocumentAmount
}

export interface ListedLine {
  readonly source_id: string
  readonly document_kind: 'bill' | 'expense'
  readonly document_id: string
  readonly line_id: string
  readonly vendor_id: string | null
  readonly vendor_name: string | null
  readonly account_id: string | null
  readonly account_name: string | null
  readonly account_type: AccountType | null
  readonly class: string | null
  readonly department: string | null
  readonly project: string | null
  readonly description: string | null
  readonly amount: DocumentAmount
}

export interface ListedVendor {
  readonly id: string
  readonly source_id: string
  readonly name: string
  readonly is_active: boolean
  /** What is still owed on each of its open bills. */
  readonly payables: readonly DocumentAmount[]
}

/** Lists of a workspace's books. What is deleted is in none of them. */
export interface ExpenseLists {
  /** Newest document first. */
  bills(query: ExpenseListQuery): Promise<ListPage<ListedBill>>
  /** The lines that count, newest document first. */
  lines(query: ExpenseListQuery): Promise<ListPage<ListedLine>>
  /** By name. */
  vendors(query: ExpenseListQuery): Promise<ListPage<ListedVendor>>
}

export interface ExpenseImportOptions extends CsvForm {
  /** Name of the books that the file belongs to. */
  readonly source: string
  /** Told of the rows read so far, now and then. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/** What an import of expenses did. */
export interface ExpenseImportResult {
  readonly source_id: string
  readonly rows_read: number
  readonly documents: number
  /** Records that are new or different from before, by kind. */
  readonly changed: ChangedRecords
}

/** Where the imported goes, and when it is imported: `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface ExpenseImportContext {
  readonly store: ExpenseStore
  readonly at: string
}

/** Imports a CSV file of bills and expenses, streamed and in one transaction. */
export type ImportExpenses = (
  source: AsyncIterable<string | Uint8Array>,
  options: ExpenseImportOptions,
  place: ExpenseImportContext,
) => Promise<ExpenseImportResult>
