import type { DeletedRecord, DocumentKind, ExpenseRecord } from '../core/expense.ts'
import type { ExpenseLists } from './expense-lists.ts'
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
