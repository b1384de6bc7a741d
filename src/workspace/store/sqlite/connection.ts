import { threadProgram } from '../../../core/thread.ts'
import type { SqliteOpening, SqliteReply, SqliteRequest, SqliteValue } from './protocol.ts'

/** A connection to an SQLite file. Its statements run in a separate thread, one after the other. */
export interface SqliteConnection {
  /** Runs a statement and returns its rows and the number of changed rows. Rejects with SqliteError. */
  run(sql: string, bindings: readonly SqliteValue[]): Promise<SqliteResult>
  /** False once its thread has ended. */
  isOpen(): boolean
  close(): Promise<void>
}

interface SqliteResult {
  readonly rows: readonly object[]
  readonly changes: number
}

/** An error from SQLite. `code` is SQLite's code, such as SQLITE_BUSY, or ECLOSED. */
class SqliteError extends Error {
  readonly code: string
  /** The message of SQLite alone. knex adds the statement to the front of `message`. */
  readonly sqlMessage: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'SqliteError'
    this.code = code
    this.sqlMessage = message
  }
}

/** Code of a connection whose thread has ended, named like Node's system error codes. */
const CLOSED = 'ECLOSED'

const startThread = threadProgram('sqlite.thread', import.meta.url, { native: ['libsql'] })

interface Waiting {
  readonly rows: object[]
  readonly resolve: (result: SqliteResult) => void
  readonly reject: (error: Error) => void
}

/** Starts the thread of a connection and opens the file in it. A missing file is created. Rejects with SqliteError. */
export async function openSqlite(opening: SqliteOpening): Promise<SqliteConnection> {
  const worker = startThread(opening)
  const waiting: Waiting[] = []
  let ended: Error | undefined

  const end = (reason: string): void => {
    ended ??= new SqliteError(CLOSED, reason)
    for (const { reject } of waiting.splice(0)) reject(ended)
  }
  // Only a running statement keeps the process alive, not an open store.
  const answered = (): Promise<SqliteResult> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended)
      if (waiting.push({ rows: [], resolve, reject }) === 1) worker.ref()
    })
  const settle = (): Waiting | undefined => {
    const first = waiting.shift()
    if (waiting.length === 0) worker.unref()
    return first
  }
  const ask = (request: SqliteRequest): Promise<SqliteResult> => {
    const answer = answered()
    if (ended === undefined) worker.postMessage(request)
    return answer
  }
  worker.on('message', (reply: SqliteReply) => {
    if (reply.kind === 'rows') for (const row of reply.rows) waiting[0]?.rows.push(row)
    else if (reply.kind === 'failed') settle()?.reject(new SqliteError(reply.code, reply.message))
    else {
      const done = settle()
      done?.resolve({ rows: done.rows, changes: reply.changes })
    }
  })
  worker.on('error', (error) => end(error.message))
  worker.on('exit', () => end('its thread has ended'))

  const close = async (): Promise<void> => {
    if (ended !== undefined) return
    await ask({ kind: 'close' }).catch(() => undefined)
    await worker.terminate()
  }
  try {
    await answered()
  } catch (error) {
    await close()
    throw error
  }
  return { run: (sql, bindings) => ask({ kind: 'run', sql, bindings }), isOpen: () => ended === undefined, close }
}
