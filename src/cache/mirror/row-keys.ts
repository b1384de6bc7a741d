import { countedRunner } from '../../connector-kit/counted-runner.ts'
import { type Customers, type MirrorSource, type RawTable, rowKeysIn } from '../../connector-kit/mirror-source.ts'
import { createQueryRunner, ident, sql } from '../../connector-kit/query-runner.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { createTable, send } from '../held/held-tables.ts'
import { labelOf, readRows } from './copy-rows.ts'
import { type MirrorTables, workOf } from './mirror-tables.ts'
import { WANTED } from './work-area.ts'

// The keys of the rows of customers, for an engine without an index on customers (MirrorSource.rowKeys). Without them, each part of a filling would
// read whole tables.

/** The stored keys of all rows, as long as a filling lasts. */
export interface StoredRowKeys {
  /** These customers with the keys of their rows. */
  of(keys: readonly string[]): Promise<Customers>
  remove(): Promise<void>
}

/** Reads the keys of all rows, and stores them. Undefined if the source has none. */
export async function storeRowKeys(
  snapshot: Snapshot,
  tables: MirrorTables,
  session: ConnectorSession,
): Promise<StoredRowKeys | undefined> {
  const { source, database } = tables
  const table = source.rowKeys?.(session)
  if (table === undefined) return undefined
  const place = sql`work.${ident(table.name)}`
  const read = await readRows(snapshot, [table], 'all', database.directory)
  await database.write(async (writer) => {
    await send(writer, createTable(place, table.columns, writer.dialect))
    await read.load(writer)
  })
  const rowsOf = async (writer: CacheWriter, keys: readonly string[]) => {
    await workOf(tables, writer).want(keys)
    return send(
      writer,
      sql`select stored.table_name, stored.row_key from ${place} as stored where stored.customer_key in (select customer_key from ${WANTED})`,
    )
  }
  return {
    of: async (keys) => ({ keys, rows: rowKeysIn(await database.write((writer) => rowsOf(writer, keys))) }),
    remove: async () => void (await database.write((writer) => send(writer, sql`drop table ${place}`))),
  }
}

/** These customers with the keys of their rows in the snapshot, if the source has such keys. */
export async function withRowKeys(
  snapshot: Snapshot,
  source: MirrorSource,
  session: ConnectorSession,
  keys: readonly string[],
): Promise<Customers> {
  const table = source.rowKeys?.(session)
  return table === undefined ? { keys } : { keys, rows: rowKeysIn(await readKeys(snapshot, table, keys)) }
}

async function readKeys(snapshot: Snapshot, table: RawTable, keys: readonly string[]): Promise<readonly Row[]> {
  const { run, verify } = countedRunner(createQueryRunner(snapshot))
  const rows = await run(labelOf(table), table.select({ keys }))
  await verify()
  return rows
}
