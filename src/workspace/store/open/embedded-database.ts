import { dirname } from 'node:path'
import knex from 'knex'
import { withinLimit } from '../../../core/async.ts'
import { AppError } from '../../../core/errors.ts'
import { type Database, QUIET_KNEX, WRITE_WAIT_MS } from '../database.ts'
import { sqliteClient } from '../sqlite/client.ts'
import { openSqlite, type SqliteConnection } from '../sqlite/connection.ts'
import type { SqliteOpening } from '../sqlite/protocol.ts'
import { takeOverEarlier } from './earlier-embedded.ts'
import { migrateEmbedded } from './migrate.ts'
import { refuseNetworkFileSystem } from './network-file-system.ts'
import { makeStoreDirectory, restrictToOwner } from './private-files.ts'
import type { StoreOptions } from './store-target.ts'

/** Most connections. One of them can write while the others read. */
const CONNECTIONS = 4
/** Longest wait for the first connection, and the wait after which it is reported, milliseconds. */
const OPEN_MS = 60_000
const SLOW_MS = 3_000

/**
 * Opens the SQLite file of a store and migrates it. Other processes of this machine may have it open too. AppError `connector_unavailable`
 * on a network file system. Otherwise rejects with the error of the file system or of SQLite.
 */
export async function openEmbeddedDatabase(file: string, onNotice: StoreOptions['onNotice']): Promise<Database> {
  const directory = dirname(file)
  await makeStoreDirectory(directory)
  await refuseNetworkFileSystem(directory)
  const closed = await restrictToOwner(file)
  if (closed.length > 0)
    onNotice?.(`Other users of this machine had access to ${closed.join(', ')}. Access was restricted to the owner.`)
  const opening = { file, busyMs: WRITE_WAIT_MS }
  const first = await openFirst(opening, onNotice)
  const connected = knex({
    ...QUIET_KNEX,
    client: sqliteClient(opening, first),
    connection: { filename: file },
    useNullAsDefault: true,
    pool: { min: 0, max: CONNECTIONS },
  })
  try {
    let isTakenOver = false
    await migrateEmbedded(connected, async (transaction) => {
      isTakenOver = await takeOverEarlier(directory, transaction)
    })
    if (isTakenOver)
      onNotice?.(`The store ${file} has imported the store of an earlier version in ${directory}, which stays unchanged.`)
  } catch (error) {
    await connected.destroy()
    throw error
  }
  return { knex: connected, schema: undefined, close: () => connected.destroy() }
}

// A busy machine may take longer to start the first thread than a request waits for a connection.
async function openFirst(opening: SqliteOpening, onNotice: StoreOptions['onNotice']): Promise<SqliteConnection> {
  const slow = setTimeout(() => onNotice?.(`The store ${opening.file} takes long to open. Plumbline waits for it.`), SLOW_MS)
  try {
    const overdue = () =>
      new AppError('connector_unavailable', `The store ${opening.file} has not opened within ${OPEN_MS / 1_000} s.`)
    return await withinLimit(openSqlite(opening), OPEN_MS, overdue)
  } finally {
    clearTimeout(slow)
  }
}
