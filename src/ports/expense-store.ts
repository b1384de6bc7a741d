import type { CsvForm } from '../core/csv-form.ts'
import type { AccountType, BillKind, BillStatus, DeletedRecord, DocumentKind, ExpenseRecord } from '../core/expense.ts'
import type { StoredSource } from './source-store.ts'

/** Number of records of each kind that a call changed. Vendor credits are counted separately from bills. */
export type ChangedRecords = Readonly<Record<CountedKind, number>>
export const COUNTED_KINDS = ['vendor', 'account', 'item', 'bill', 'vendor_credit', 'expense', 'bill_payment'] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/** Counts of a call that changed nothing. */
export function noChanges(): Record<CountedKind, number> {
  return { vendor: 0, account: 0, item: 0, bill: 0, vendor_credit: 0, expense: 0, bill_payment: 0 }
}

/** The expenses of a workspace in the side schema, from accounting platforms and imported files. */
export interface ExpenseStore extends ExpenseLists {
  /**
   * Inserts or replaces records of a source in one transaction, a document with all its lines. A record that is not newer than the stored
   * one changes nothing, so replays and late arrivals are harmless. AppError `canonical_enum_violation` before anything is written.
   */
  put(sourceId: string, records: readonly (ExpenseRecord | DeletedRecord)[]): Promise<ChangedRecords>
  /** Runs `work` in one transaction, for imports of any length. If it fails, nothing is written. */
  change<T>(work: (writer: ExpenseWriter) => Promise<T>): Promise<T>
  /** Ids of a source's documents that are not deleted: ascending, after the id `after`. Empty after the last. */
  documentIds(sourceId: string, kind: DocumentKind, after: string, limit: number): Promise<readonly string[]>
  /** True if the workspace has any document. */
  hasDocuments(): Promise<boolean>
}

export interface ExpenseWriter {
  put(sourceId: string, records: readonly (ExpenseRecord | DeletedRecord)[]): Promise<ChangedRecords>
  /** The subset of these records that the source has and that are not deleted. */
  present(sourceId: string, kind: ExpenseRecord['kind'], ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The version of an import into a source of files: the instant of the import, or one millisecond after the last version if that
   * is later. This way the order of the imports decides, not the clocks of the importing machines.
   */
  nextVersion(sourceId: string, at: string): Promise<string>
  /** Creates a source of files if no source has this id, and stores the instant of its last import and the version. */
  touchSource(source: Pick<StoredSource, 'id' | 'type' | 'name'>, at: string, version: string): Promise<void>
}

/** Filters and page of an expense list. Days are `YYYY-MM-DD`, both inclusive. */
export interface ExpenseListQuery {
  readonly limit: number
  readonly offset: number
  readonly source_id: string | undefined
  /** Part of a row's names, matched case-insensitively. */
  readonly search: string | undefined
  readonly start: string | undefined
  readonly end: string | undefined
  /** Columns, each with its accepted texts. Null accepts rows without a value. */
  readonly filters: ReadonlyMap<string, readonly (string | null)[]>
}

/** A page of rows, and the number of all rows. */
export interface ListPage<T> {
  readonly total: number
  readonly rows: readonly T[]
}

/** An amount in cents, with the currency, day and home amount that convert it to the base currency (D13). */
export interface DocumentAmount {
  readonly cents: number
  readonly currency: string
  readonly day: string
  /** The home currency of the source, and the amount in it. Null if the document does not give it. */
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
  /** The amount still owed: 0 on a voided bill, negative on an open credit. */
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
  /** The amount still owed on each open bill. */
  readonly payables: readonly DocumentAmount[]
}

/** Fields of books that a filter may name with any text. */
export const BOOK_FIELDS = [
  'source',
  'source_id',
  'currency',
  'vendor_id',
  'vendor_name',
  'account_id',
  'class',
  'department',
  'project',
] as const
export type BookField = (typeof BOOK_FIELDS)[number]

/** Lists of a workspace's expenses. Deleted records are in none of them. */
export interface ExpenseLists {
  /** Newest document first. */
  bills(query: ExpenseListQuery): Promise<ListPage<ListedBill>>
  /** The lines that count, newest document first. */
  lines(query: ExpenseListQuery): Promise<ListPage<ListedLine>>
  /** By name. */
  vendors(query: ExpenseListQuery): Promise<ListPage<ListedVendor>>
  /** The different texts of a field in all books, a deleted vendor's too: those among `among`, or all. */
  texts(field: BookField, among?: readonly string[]): Promise<readonly string[]>
}

export interface ExpenseImportOptions extends CsvForm {
  /** Name of the source that the file belongs to. */
  readonly source: string
  /** Called from time to time with the number of rows read. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/** Result of an import of expenses. */
export interface ExpenseImportResult {
  readonly source_id: string
  readonly rows_read: number
  readonly documents: number
  /** New or changed records, by kind. */
  readonly changed: ChangedRecords
}

/** The store that an import writes to, and the instant of the import: `YYYY-MM-DDTHH:MM:SS.sssZ`. */
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
