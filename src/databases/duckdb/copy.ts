import { chmod, lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { quoted } from '../../compiler/literal.ts'
import { createDuckdbSession } from './session.ts'

/** Time limit for the copy of one table, milliseconds. */
const TABLE_MS = 3_600_000

/** Pause between looks for the log of a copy, milliseconds. */
const LOG_MS = 20

/** Number of copies so far, for their names. */
let copies = 0

/**
 * Copies all tables of the database `main`, as one transaction sees them, into a new database in `directory`. Resolves to its file, which only this
 * user can read. Ends the connection. Rejects with the signal's reason; a copy that fails leaves no file.
 */
export async function copyTables(
  connection: DuckDBConnection,
  main: string,
  directory: string,
  signal: AbortSignal,
): Promise<string> {
  copies += 1
  const name = `copy_${copies}`
  const file = join(directory, `${name}.duckdb`)
  const session = createDuckdbSession(connection, TABLE_MS)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped = session.cancel()
  }
  signal.addEventListener('abort', stop)
  const run = (text: string) => session.query({ text, values: [], label: 'cache copy' })
  const copyAll = async () => {
    // `copy from database` changes a setting, and the settings of this database are locked.
    const tables = await run(
      `select table_name from duckdb_tables() where database_name = ${quoted(main)} and schema_name = 'main'`,
    )
    for (const { table_name } of tables) {
      signal.throwIfAborted()
      const table = `main.${named(String(table_name))}`
      await run(`create table ${name}.${table} as from ${named(main)}.${table}`)
    }
    signal.throwIfAborted()
    await run('commit')
  }
  try {
    signal.throwIfAborted()
    await run(`attach ${quoted(file)} as ${name}`)
    try {
      await session.begin()
      await copyAll()
    } catch (error) {
      // Until then, the next statement would be interrupted too.
      await stopped
      await session.end().catch(() => {})
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      await stopped
      await run(`detach ${name}`)
    }
    // A reader that has looked at all databases keeps this one open until it ends. Its log is in its file only then.
    while (await isThere(`${file}.wal`)) {
      signal.throwIfAborted()
      await setTimeout(LOG_MS)
    }
    signal.throwIfAborted()
    await chmod(file, 0o600)
    return file
  } catch (error) {
    for (const left of [file, `${file}.wal`]) await rm(left, { force: true })
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    session.release()
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined
}

/** A name in double quotes. */
function named(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
