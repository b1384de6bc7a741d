import { parentPort, workerData } from 'node:worker_threads'
import Database from 'libsql'
import type { SqliteOpening, SqliteReply, SqliteRequest, SqliteValue } from './protocol.ts'

// This thread runs one connection to an embedded store, because the driver blocks until a statement has run or a lock is free.

const ROWS_AT_ONCE = 1_000
/** Most statements to keep prepared. The driver frees a dropped statement only at garbage collection. */
const KEPT_STATEMENTS = 64
const RETRY_MS = 5
const CACHE_KIB = 65_536

type Connection = InstanceType<typeof Database>
type Statement = ReturnType<Connection['prepare']>

const port = parentPort
if (port === null) throw new Error('this file runs only as a worker thread')
const post = (reply: SqliteReply): void => port.postMessage(reply)

const { file, busyMs } = workerData as SqliteOpening
const statements = new Map<string, Statement>()
let connection: Connection | undefined

attempt(() => {
  connection = open(file)
  return 0
})
port.on('message', (request: SqliteRequest) => {
  if (request.kind === 'close') {
    attempt(close)
    port.close()
  } else attempt(() => retryWhileLocked(() => run(request.sql, request.bindings)))
})

function attempt(work: () => number): void {
  try {
    post({ kind: 'done', changes: work() })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // The driver gives no code if it cannot open the file.
    post({
      kind: 'failed',
      code: code === '' ? 'SQLITE_CANTOPEN' : code,
      message: String(error instanceof Error ? error.message : error),
    })
  }
}

function open(file: string): Connection {
  const opened = new Database(file)
  // SQLite's own busy timeout sleeps longer after each try. It would rarely wake in the short pause between two writes of a busy
  // process.
  opened.exec('pragma busy_timeout = 0')
  useWriteAheadLog(opened)
  // A write that was confirmed survives a crash of the whole machine, not only of this process.
  opened.exec('pragma synchronous = full')
  opened.exec('pragma foreign_keys = on')
  // A negative number means KiB. Imports touch a whole index, and SQLite's default of 2 MB is too small for it.
  opened.exec(`pragma cache_size = -${CACHE_KIB}`)
  return opened
}

// If two processes open a new file at the same time, SQLite tells the second one at once that the file is locked.
function useWriteAheadLog(opened: Connection): void {
  retryWhileLocked(() => {
    const [row] = opened.prepare('pragma journal_mode = wal').all() as { readonly journal_mode: string }[]
    if (row?.journal_mode !== 'wal') throw new Error('its file system has no shared memory between processes')
    return 0
  })
}

/** Retries `work` while another process writes. This is safe: if SQLite reports a lock, it has done nothing. */
function retryWhileLocked(work: () => number): number {
  const giveUpAt = performance.now() + busyMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
      if (!isBusy || performance.now() >= giveUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

function run(sql: string, bindings: readonly SqliteValue[]): number {
  const statement = prepared(sql)
  if (!statement.reader) return statement.run([...bindings]).changes
  let rows: object[] = []
  for (const row of statement.iterate([...bindings]) as Iterable<object>) {
    rows.push(row)
    if (rows.length < ROWS_AT_ONCE) continue
    post({ kind: 'rows', rows })
    rows = []
  }
  post({ kind: 'rows', rows })
  return 0
}

function prepared(sql: string): Statement {
  if (connection === undefined) throw new Error('the connection is closed')
  const statement = statements.get(sql) ?? connection.prepare(sql)
  statements.delete(sql)
  statements.set(sql, statement)
  const [oldest] = statements.keys()
  if (statements.size > KEPT_STATEMENTS && oldest !== undefined) statements.delete(oldest)
  return statement
}

function close(): number {
  statements.clear()
  connection?.close()
  connection = undefined
  return 0
}
