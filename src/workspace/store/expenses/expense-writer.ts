import type { Knex } from 'knex'
import { chunksOf } from '../../../core/batches.ts'
import { InternalError } from '../../../core/errors.ts'
import type { ExpenseRecord } from '../../../core/expense.ts'
import { integerCell } from '../../../ports/cells.ts'
import { type CountedKind, type ExpenseWriter, noChanges } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Database, table } from '../database.ts'
import { engineOf } from '../engine-of.ts'
import { instantForStore } from '../instants.ts'
import { checkRecord } from './check-record.ts'
import { markDeleted, putDeletions, readDeletions } from './deletions.ts'
import { createFileSources } from './file-sources.ts'
import { type Incoming, incomingByKind } from './incoming.ts'
import { insertRows } from './insert-rows.ts'
import { applyItems } from './item-accounts.ts'
import { type Kept, readKept } from './kept.ts'
import { removeLines, writeLines } from './lines.ts'
import { type BookPlace, inBook } from './place.ts'
import { fingerprintOf, recordRow } from './record-rows.ts'

const RECORDS_AT_ONCE = 500

/** Writes records of a workspace's sources. Its transaction has raised the counter of writes, so no other one writes beside it. */
export function createWriter(database: Database, transaction: Knex, workspace: string): ExpenseWriter {
  return {
    async put(sourceId, records) {
      const counts = noChanges()
      for (const record of records) checkRecord(record)
      if (records.length === 0) return counts
      await useIndexes(transaction)
      const bookId = await bookOf(database, transaction, workspace, sourceId)
      for (const [kind, incoming] of incomingByKind(records)) {
        const place = { database, transaction, bookId, kind }
        for (const chunk of chunksOf(incoming, RECORDS_AT_ONCE)) await putChunk(place, chunk, counts)
      }
      return counts
    },
    async present(sourceId, kind, ids) {
      const bookId = await findBook(database, transaction, workspace, sourceId)
      const found = new Set<string>()
      if (bookId === undefined) return found
      for (const chunk of chunksOf(ids, RECORDS_AT_ONCE)) {
        const kept = await readKept({ database, transaction, bookId, kind }, chunk)
        for (const { id, is_deleted } of kept.values()) if (!is_deleted) found.add(id)
      }
      return found
    },
    ...createFileSources(database, transaction, workspace),
  }
}

/**
 * Two things are kept of each record: its newest version and, where it was told apart, its newest deletion. Both only ever get newer, so that
 * the order of arrival does not matter.
 */
async function putChunk(place: BookPlace, chunk: readonly Incoming[], counts: Record<CountedKind, number>): Promise<void> {
  const ids = chunk.map(({ id }) => id)
  const kept = await readKept(place, ids)
  const deletions = await readDeletions(place, ids)
  await putDeletions(place, chunk, deletions)
  const { written, confirmed } = judge(chunk, kept, deletions)

  const rows = written.map(({ record, deletedAt }) => recordRow(place.bookId, record, deletedAt))
  await insertRows(place.database, place.transaction, place.kind, rows, ['book_id', 'external_id'])
  if (place.kind === 'item') await applyItems(place, written)
  const replaced = written.flatMap(({ record: { external_id } }) => (kept.has(external_id) ? [external_id] : []))
  await removeLines(place, replaced)
  await writeLines(place, written)
  await confirm(place, confirmed)
  for (const { record } of written) counts[record.kind === 'bill' ? record.bill_kind : record.kind] += 1

  const isNewer = new Set([...written.map(({ record }) => record), ...confirmed].map(({ external_id }) => external_id))
  const gone = [...kept.values()].filter(
    ({ id, updated_at, is_deleted }) => !is_deleted && !isNewer.has(id) && deletionOf(id, updated_at, deletions) !== undefined,
  )
  await markDeleted(place, gone, deletions)
  for (const { counted } of gone) counts[counted] += 1
}

interface Judged {
  /** New or different, with the deletion that they are not newer than. */
  readonly written: readonly { readonly record: ExpenseRecord; readonly deletedAt: string | undefined }[]
  /** Newer, and the same as what is kept. */
  readonly confirmed: readonly ExpenseRecord[]
}

function judge(chunk: readonly Incoming[], kept: ReadonlyMap<string, Kept>, deletions: ReadonlyMap<string, string>): Judged {
  const newer = chunk.flatMap(({ id, record }) => {
    const present = kept.get(id)
    if (record === undefined || (present !== undefined && present.updated_at > record.updated_at)) return []
    const deletedAt = deletionOf(id, record.updated_at, deletions)
    const isDeleted = record.is_deleted || deletedAt !== undefined
    const isSame = present?.fingerprint === fingerprintOf(record) && present.is_deleted === isDeleted
    return [{ record, deletedAt, isSame, isNewer: present?.updated_at !== record.updated_at }]
  })
  return {
    written: newer.filter(({ isSame }) => !isSame),
    confirmed: newer.flatMap(({ record, isSame, isNewer }) => (isSame && isNewer ? [record] : [])),
  }
}

/** When a version was deleted; undefined for one that is newer than its deletion. */
function deletionOf(id: string, updated_at: string, deletions: ReadonlyMap<string, string>): string | undefined {
  const deletedAt = deletions.get(id)
  return deletedAt !== undefined && deletedAt >= updated_at ? deletedAt : undefined
}

// Most versions of a batch are of few instants: a file has one.
async function confirm(place: BookPlace, records: readonly ExpenseRecord[]): Promise<void> {
  const byInstant = new Map<string, string[]>()
  for (const { updated_at, external_id } of records) {
    byInstant.set(updated_at, [...(byInstant.get(updated_at) ?? []), external_id])
  }
  for (const [updated_at, ids] of byInstant) {
    await inBook(place, place.kind)
      .whereIn('external_id', ids)
      .update({ updated_at: instantForStore(updated_at) })
  }
}

async function bookOf(database: Database, transaction: Knex, workspace: string, source_id: string): Promise<number> {
  const known = await findBook(database, transaction, workspace, source_id)
  if (known !== undefined) return known
  await table(database, 'book', transaction).insert({ workspace, source_id })
  const made = await findBook(database, transaction, workspace, source_id)
  if (made === undefined) throw new InternalError('a book that was just made is not there')
  return made
}

async function findBook(database: Database, transaction: Knex, workspace: string, source_id: string) {
  const [found]: Row[] = await table(database, 'book', transaction).where({ workspace, source_id }).select('book_id')
  return found === undefined ? undefined : integerCell(found, 'book_id')
}

// PostgreSQL has no statistics of a table that is being filled, and would read all of it for each batch.
async function useIndexes(transaction: Knex): Promise<void> {
  if (engineOf(transaction) === 'postgres') await transaction.raw('set local enable_seqscan = off')
}
