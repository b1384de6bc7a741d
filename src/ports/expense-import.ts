import type { CsvForm } from '../core/csv-form.ts'
import type { ChangedRecords, ExpenseStore } from './expense-store.ts'

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
export interface ExpenseImportPlace {
  readonly store: ExpenseStore
  readonly at: string
}

/** Imports a CSV file of bills and expenses, streamed and in one transaction. */
export type ImportExpenses = (
  source: AsyncIterable<string | Uint8Array>,
  options: ExpenseImportOptions,
  place: ExpenseImportPlace,
) => Promise<ExpenseImportResult>
