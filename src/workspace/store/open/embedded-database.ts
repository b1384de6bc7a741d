import { dirname } from 'node:path'
import knex from 'knex'
import { type Database, QUIET_KNEX, WRITE_WAIT_MS } from '../database.ts'
import { sqliteClient } from '../sqlite/client.ts'
import { takeOverEarlier } from './earlier-embedded.ts'
import { migrateEmbedded } from './migrate.ts'
import { refuseNetworkFileSystem } from './network-file-system.ts'
import { makeStoreDirectory, restrictToOwner } from './private-files.ts'
import type { StoreOptions } from './store-target.ts'

/** Most connections. One of them can write while the others read. */
const CONNECTIONS = 4

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
  const connected = knex({
    ...QUIET_KNEX,
    client: sqliteClient({ file, busyMs: WRITE_WAIT_MS }),
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
