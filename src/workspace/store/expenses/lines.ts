import type { ExpenseRecord } from '../../../core/expense.ts'
import { insertRows } from './insert-rows.ts'
import { accountsOfItems } from './item-accounts.ts'
import { type LinedRecord, lineRows } from './line-rows.ts'
import { type Changing, changeLines, countLines } from './line-totals.ts'
import type { BookPlace } from './place.ts'

const LINE_IDENTITY = ['book_id', 'document_kind', 'document_external_id', 'line_id']

/** Removes the lines of these documents, so that new ones can take their place. */
export async function removeLines(place: BookPlace, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || (place.kind !== 'bill' && place.kind !== 'expense')) return
  await changeLines(place, linesOf(place, ids), (lines) => lines.delete())
}

/** Writes the lines of documents, of which none is there. */
export async function writeLines(
  place: BookPlace,
  written: readonly { readonly record: ExpenseRecord; readonly deletedAt: string | undefined }[],
): Promise<void> {
  const lined = written.flatMap(({ record, deletedAt }) =>
    isLined(record) ? [{ record, isDeleted: record.is_deleted || deletedAt !== undefined }] : [],
  )
  const accounts = await accountsOfItems(
    place,
    lined.flatMap(({ record }) => record.lines.flatMap(({ item_external_id }) => item_external_id ?? [])),
  )
  const rows = lined.flatMap(({ record, isDeleted }) => lineRows(place.bookId, record, isDeleted, accounts))
  await insertRows(place.database, place.transaction, 'document_line', rows, LINE_IDENTITY)
  const ids = lined.flatMap(({ record, isDeleted }) => (isDeleted ? [] : [record.external_id]))
  if (ids.length > 0) await countLines(place, linesOf(place, ids))
}

/** The lines of documents. */
export function linesOf({ kind }: BookPlace, ids: readonly string[]): Changing {
  return (lines) => lines.where({ document_kind: kind }).whereIn('document_external_id', ids)
}

function isLined(record: ExpenseRecord): record is LinedRecord {
  return record.kind === 'bill' || record.kind === 'expense'
}
