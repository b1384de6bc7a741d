import type { Knex } from 'knex'
import { chunksOf } from '../../../core/batches.ts'
import { InternalError } from '../../../core/errors.ts'
import type { DeletedRecord, ExpenseRecord } from '../../../core/expense.ts'
import { instantCell, integerCell, textCell, textOf } from '../../../ports/cells.ts'
import { type CountedKind, type ExpenseWriter, noChanges } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Database, engineOf, table } from '../database.ts'
import { instantForStore, instantFromStore } from '../instants.ts'
import { checkRecord } from './check-record.ts'
import { applyItems, changeLines, linesOf, removeLines, writeLines } from './lines.ts'
import {
  fingerprintOf,
  inLedger,
  insertRows,
  type LedgerScope,
  readStored,
  recordRow,
  type StoredVersion,
} from './record-rows.ts'

const RECORDS_AT_ONCE = 500

/** Writes records of a workspace's sources. Its transaction has raised the write counter, so no other writer runs at the same time. */
export function createWriter(database: Database, transaction: Knex, workspace: string): ExpenseWriter {
  return {
    async put(sourceId, records) {
      const counts = noChanges()
      for (const record of records) checkRecord(record)
      if (records.length === 0) return counts
      await useIndexes(transaction)
      const ledgerId = await ledgerFor(database, transaction, workspace, sourceId)
      for (const [kind, incoming] of incomingByKind(records)) {
        const ledger = { database, transaction, ledgerId, kind }
        for (const chunk of chunksOf(incoming, RECORDS_AT_ONCE)) await putChunk(ledger, chunk, counts)
      }
      return counts
    },
    async present(sourceId, kind, ids) {
      const ledgerId = await findLedger(database, transaction, workspace, sourceId)
      const found = new Set<string>()
      if (ledgerId === undefined) return found
      for (const chunk of chunksOf(ids, RECORDS_AT_ONCE)) {
        const stored = await readStored({ database, transaction, ledgerId, kind }, chunk)
        for (const { id, is_deleted } of stored.values()) if (!is_deleted) found.add(id)
      }
      return found
    },
    ...createFileSources(database, transaction, workspace),
  }
}

/**
 * Keeps the newest version of each record. Also keeps its newest deletion, if the platform reported the deletion separately. An
 * older version or deletion never replaces a newer one, so the order of arrival does not matter.
 */
async function putChunk(ledger: LedgerScope, chunk: readonly Incoming[], counts: Record<CountedKind, number>): Promise<void> {
  const ids = chunk.map(({ id }) => id)
  const stored = await readStored(ledger, ids)
  const deletions = await readDeletions(ledger, ids)
  await putDeletions(ledger, chunk, deletions)
  const { written, confirmed } = compareVersions(chunk, stored, deletions)

  const rows = written.map(({ record, deletedAt }) => recordRow(ledger.ledgerId, record, deletedAt))
  await insertRows(ledger.database, ledger.transaction, ledger.kind, rows, ['book_id', 'external_id'])
  if (ledger.kind === 'item') await applyItems(ledger, written)
  const replaced = written.flatMap(({ record: { external_id } }) => (stored.has(external_id) ? [external_id] : []))
  await removeLines(ledger, replaced)
  await writeLines(ledger, written)
  await confirm(ledger, confirmed)
  for (const { record } of written) counts[record.kind === 'bill' ? record.bill_kind : record.kind] += 1

  const isNewer = new Set([...written.map(({ record }) => record), ...confirmed].map(({ external_id }) => external_id))
  const gone = [...stored.values()].filter(
    ({ id, updated_at, is_deleted }) => !is_deleted && !isNewer.has(id) && deletionOf(id, updated_at, deletions) !== undefined,
  )
  await markDeleted(ledger, gone, deletions)
  for (const { counted } of gone) counts[counted] += 1
}

interface ComparedVersions {
  /** New or changed versions. `deletedAt` is the deletion of the record. Undefined if the version is newer than the deletion. */
  readonly written: readonly { readonly record: ExpenseRecord; readonly deletedAt: string | undefined }[]
  /** Versions that are newer than the stored versions but have the same content. */
  readonly confirmed: readonly ExpenseRecord[]
}

function compareVersions(
  chunk: readonly Incoming[],
  stored: ReadonlyMap<string, StoredVersion>,
  deletions: ReadonlyMap<string, string>,
): ComparedVersions {
  const newer = chunk.flatMap(({ id, record }) => {
    const present = stored.get(id)
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

/** Instant at which a version was deleted. Undefined if the version is newer than the deletion. */
function deletionOf(id: string, updated_at: string, deletions: ReadonlyMap<string, string>): string | undefined {
  const deletedAt = deletions.get(id)
  return deletedAt !== undefined && deletedAt >= updated_at ? deletedAt : undefined
}

// Runs one update per instant. A batch has few different instants, and a file has only one.
async function confirm(ledger: LedgerScope, records: readonly ExpenseRecord[]): Promise<void> {
  const byInstant = new Map<string, string[]>()
  for (const { updated_at, external_id } of records) {
    byInstant.set(updated_at, [...(byInstant.get(updated_at) ?? []), external_id])
  }
  for (const [updated_at, ids] of byInstant) {
    await inLedger(ledger, ledger.kind)
      .whereIn('external_id', ids)
      .update({ updated_at: instantForStore(updated_at) })
  }
}

async function ledgerFor(database: Database, transaction: Knex, workspace: string, source_id: string): Promise<number> {
  const known = await findLedger(database, transaction, workspace, source_id)
  if (known !== undefined) return known
  await table(database, 'book', transaction).insert({ workspace, source_id })
  const made = await findLedger(database, transaction, workspace, source_id)
  if (made === undefined) throw new InternalError('a ledger that was just created is missing')
  return made
}

async function findLedger(database: Database, transaction: Knex, workspace: string, source_id: string) {
  const [found]: Row[] = await table(database, 'book', transaction).where({ workspace, source_id }).select('book_id')
  return found === undefined ? undefined : integerCell(found, 'book_id')
}

// PostgreSQL has no statistics of a table while it is being filled, and would scan the whole table for each batch.
async function useIndexes(transaction: Knex): Promise<void> {
  if (engineOf(transaction) === 'postgres') await transaction.raw('set local enable_seqscan = off')
}

/** One record of a batch: its newest version in the batch, its newest deletion, or both. */
interface Incoming {
  readonly id: string
  readonly record?: ExpenseRecord
  readonly deletedAt?: string
}

type Kind = ExpenseRecord['kind']
/** Vendors, accounts and items come before the documents whose lines refer to them. */
const KINDS: readonly Kind[] = ['vendor', 'account', 'item', 'bill', 'expense', 'bill_payment']

/** A batch by kind, each record once. If two versions have the same instant, the later version in the batch counts. */
function incomingByKind(records: readonly (ExpenseRecord | DeletedRecord)[]): readonly (readonly [Kind, readonly Incoming[]])[] {
  const byKind = new Map<Kind, Map<string, Incoming>>(KINDS.map((kind) => [kind, new Map()]))
  for (const record of records) {
    const byId = byKind.get(record.kind)
    const known = byId?.get(record.external_id) ?? { id: record.external_id }
    byId?.set(record.external_id, { ...known, ...newest(known, record) })
  }
  return [...byKind].map(([kind, byId]) => [kind, [...byId.values()]])
}

function newest(known: Incoming, record: ExpenseRecord | DeletedRecord): Partial<Incoming> {
  if (!('is_deleted' in record)) {
    return known.deletedAt === undefined || record.updated_at > known.deletedAt ? { deletedAt: record.updated_at } : {}
  }
  return known.record === undefined || record.updated_at >= known.record.updated_at ? { record } : {}
}

/** The newest reported deletion of each of these records. */
async function readDeletions(ledger: LedgerScope, ids: readonly string[]): Promise<Map<string, string>> {
  const rows: Row[] = await inLedger(ledger, 'deletion')
    .where({ record_kind: ledger.kind })
    .whereIn('external_id', ids)
    .select('external_id', 'deleted_at')
  return new Map(rows.map((row) => [textOf(row, 'external_id'), instantFromStore(textOf(row, 'deleted_at'))]))
}

/** Stores the deletions of a batch that are newer than `known`, and adds them to `known`. */
async function putDeletions(ledger: LedgerScope, chunk: readonly Incoming[], known: Map<string, string>): Promise<void> {
  const newer = chunk.filter(({ id, deletedAt }) => deletedAt !== undefined && deletedAt > (known.get(id) ?? ''))
  const rows = newer.map(({ id, deletedAt = '' }) => {
    known.set(id, deletedAt)
    return { book_id: ledger.ledgerId, record_kind: ledger.kind, external_id: id, deleted_at: instantForStore(deletedAt) }
  })
  await insertRows(ledger.database, ledger.transaction, 'deletion', rows, ['book_id', 'record_kind', 'external_id'])
}

/** Marks records as deleted and changes nothing else in them. Their lines do not count any more. */
async function markDeleted(
  ledger: LedgerScope,
  gone: readonly StoredVersion[],
  deletions: ReadonlyMap<string, string>,
): Promise<void> {
  const ids = gone.map(({ id }) => id)
  if (ids.length === 0) return
  const rows: Row[] = await inLedger(ledger, ledger.kind).whereIn('external_id', ids).select('external_id', 'metadata')
  for (const row of rows) {
    const external_id = textOf(row, 'external_id')
    const known = JSON.parse(textOf(row, 'metadata')) as object
    const metadata = JSON.stringify({ ...known, deleted_at: deletions.get(external_id) })
    await inLedger(ledger, ledger.kind).where({ external_id }).update({ is_deleted: true, metadata })
  }
  if (ledger.kind !== 'bill' && ledger.kind !== 'expense') return
  await changeLines(ledger, linesOf(ledger, ids), (lines) => lines.update({ is_counted: false }))
}

/** Sources of imported files. The store holds the instant of the last import, and its version in `read_to`. */
function createFileSources(
  database: Database,
  transaction: Knex,
  workspace: string,
): Pick<ExpenseWriter, 'nextVersion' | 'touchSource'> {
  const known = async (id: string): Promise<Row | undefined> => {
    const rows: Row[] = await table(database, 'source', transaction).where({ workspace, id }).select('read_to', 'last_synced_at')
    return rows[0]
  }
  return {
    async nextVersion(sourceId, at) {
      const row = await known(sourceId)
      // An older source has no stored version. The instant of its import is used instead.
      const last = row === undefined ? null : (textCell(row, 'read_to') ?? instantCell(row, 'last_synced_at'))
      return last === null || last < at ? at : new Date(Date.parse(last) + 1).toISOString()
    },
    async touchSource(source, at, version) {
      const read = { last_synced_at: instantForStore(at), read_to: version }
      const sources = () => table(database, 'source', transaction)
      if ((await known(source.id)) !== undefined) return void (await sources().where({ workspace, id: source.id }).update(read))
      const made = { status: 'connected', config: '{}', created_at: instantForStore(at) }
      await sources().insert({ workspace, ...source, ...made, ...read })
    },
  }
}
