import { textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { instantForStore, instantFromStore } from '../instants.ts'
import type { Incoming } from './incoming.ts'
import { insertRows } from './insert-rows.ts'
import type { Kept } from './kept.ts'
import { changeLines } from './line-totals.ts'
import { linesOf } from './lines.ts'
import { type BookPlace, inBook } from './place.ts'

/** When each of these records was last told to be deleted. */
export async function readDeletions(place: BookPlace, ids: readonly string[]): Promise<Map<string, string>> {
  const rows: Row[] = await inBook(place, 'deletion')
    .where({ record_kind: place.kind })
    .whereIn('external_id', ids)
    .select('external_id', 'deleted_at')
  return new Map(rows.map((row) => [textOf(row, 'external_id'), instantFromStore(textOf(row, 'deleted_at'))]))
}

/** Keeps those of a batch that are newer than `known`, and adds them to it. */
export async function putDeletions(place: BookPlace, chunk: readonly Incoming[], known: Map<string, string>): Promise<void> {
  const newer = chunk.filter(({ id, deletedAt }) => deletedAt !== undefined && deletedAt > (known.get(id) ?? ''))
  const rows = newer.map(({ id, deletedAt = '' }) => {
    known.set(id, deletedAt)
    return { book_id: place.bookId, record_kind: place.kind, external_id: id, deleted_at: instantForStore(deletedAt) }
  })
  await insertRows(place.database, place.transaction, 'deletion', rows, ['book_id', 'record_kind', 'external_id'])
}

/** Marks records that have been deleted since: they stay as they were, and their lines count no more. */
export async function markDeleted(
  place: BookPlace,
  gone: readonly Kept[],
  deletions: ReadonlyMap<string, string>,
): Promise<void> {
  const ids = gone.map(({ id }) => id)
  if (ids.length === 0) return
  const rows: Row[] = await inBook(place, place.kind).whereIn('external_id', ids).select('external_id', 'metadata')
  for (const row of rows) {
    const external_id = textOf(row, 'external_id')
    const known = JSON.parse(textOf(row, 'metadata')) as object
    const metadata = JSON.stringify({ ...known, deleted_at: deletions.get(external_id) })
    await inBook(place, place.kind).where({ external_id }).update({ is_deleted: true, metadata })
  }
  if (place.kind !== 'bill' && place.kind !== 'expense') return
  await changeLines(place, linesOf(place, ids), (lines) => lines.update({ is_counted: false }))
}
