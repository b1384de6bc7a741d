import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import knex from 'knex'
import { type Database, QUIET_KNEX } from './database.ts'
import { acquireEmbeddedLock } from './embedded-lock.ts'
import { migrateEmbedded } from './migrate.ts'
import { pglitePool } from './pglite-pool.ts'

const SCHEMA = 'plumbline'

/**
 * Takes the lock of the directory, opens PGlite on it and migrates. AppError `connector_unavailable` while another process
 * holds it; otherwise rejects with the error of the file system or of PGlite.
 */
export async function openEmbeddedDatabase(directory: string): Promise<Database> {
  await mkdir(dirname(directory), { recursive: true })
  const lock = await acquireEmbeddedLock(directory)
  let pglite: PGlite | undefined
  try {
    pglite = await PGlite.create(directory)
    const opened = pglite
    const connected = knex({ ...QUIET_KNEX, client: 'pg', connectionPool: pglitePool(opened) })
    await migrateEmbedded(connected, SCHEMA)
    const close = async (): Promise<void> => {
      await connected.destroy()
      await opened.close()
      lock.release()
    }
    return { knex: connected, schema: SCHEMA, close }
  } catch (error) {
    await pglite?.close()
    lock.release()
    throw error
  }
}
