import type { Knex } from 'knex'
import { unlessAborted } from '../../core/async.ts'
import { AppError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { type Access, type Database, engineOf, type StoreEngine } from './database.ts'

type Dialect = StoreSnapshot['dialect']

/** Options for statements of metrics on the store. */
export interface ReadingOptions {
  /** The SQL dialect of each kind of store. */
  readonly dialects: Readonly<Record<StoreEngine, Dialect>>
  /** Time limit of a statement in milliseconds. A statement that takes longer ends with `query_timeout`. */
  readonly statementTimeoutMs: number
  /** Most memory in bytes for one sort, hash or temporary table of a statement on a server. */
  readonly sessionMemoryBytes: number
}

/** Time to wait for an answer after the server's own limit has passed. */
const GRACE_MS = 5_000
/** Error codes of servers for a statement that took too long. */
const TIMED_OUT: readonly string[] = ['57014', 'ER_STATEMENT_TIMEOUT', 'ER_QUERY_TIMEOUT']

type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/**
 * Runs `work` in one read-only snapshot of the store. Rejects with AppError `query_timeout` or with an error of the store's
 * access. If the caller has left, rejects with the signal's reason.
 */
export function readSnapshot<T>(
  access: Access,
  options: ReadingOptions,
  work: (snapshot: StoreSnapshot) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return access.read(async (database) => {
    signal?.throwIfAborted()
    const { client }: { client: Knex.Client } = database.knex
    const connection: object = await client.acquireConnection()
    const query = queryOn(client, connection, engineOf(database.knex))
    const timed: Query = (text, values) => withinTime(query(text, values), options.statementTimeoutMs, signal)
    let isSound = false
    try {
      const { dialect, end } = await begin(database, options, query)
      const result = await work({ dialect, query: ({ text, values }) => timed(text, values) })
      for (const statement of end) await query(statement)
      isSound = true
      return result
    } finally {
      // A connection may still have an open transaction or a running statement. Do not reuse it.
      if (!isSound) Object.assign(connection, { __knex__disposed: 'a snapshot broke off' })
      await client.releaseConnection(connection)
    }
  })
}

interface Begun {
  readonly dialect: Dialect
  /** Statements that restore the connection. */
  readonly end: readonly string[]
}

async function begin(
  database: Database,
  { dialects, statementTimeoutMs: limitMs, sessionMemoryBytes: memory }: ReadingOptions,
  query: Query,
): Promise<Begun> {
  const engine = engineOf(database.knex)
  const dialect = dialects[engine]
  switch (engine) {
    case 'postgres':
      await query('begin transaction isolation level repeatable read, read only')
      await query(`set local search_path = "${(database.schema ?? '').replaceAll('"', '""')}"`)
      await query(`set local statement_timeout = ${Math.ceil(limitMs)}`)
      await query(`set local work_mem = '${Math.ceil(memory / 1_024)}kB'`)
      // As on the billing database, statements run only once, so compiling them would cost more than it saves.
      await query('set local jit = off')
      return { dialect, end: ['rollback'] }
    case 'mysql': {
      const [row] = await query('select version() as version')
      const variant = /mariadb/i.test(String(row?.['version'])) ? 'mariadb' : 'mysql'
      const limit =
        variant === 'mariadb' ? `max_statement_time = ${limitMs / 1_000}` : `max_execution_time = ${Math.ceil(limitMs)}`
      await query(`set session ${limit}`)
      // Some servers allow only administrators to change these settings. The settings change no answer, so they may stay on the
      // connection.
      await query(`set session tmp_table_size = ${memory}, max_heap_table_size = ${memory}`).catch(() => undefined)
      await query('set transaction isolation level repeatable read')
      await query('start transaction with consistent snapshot, read only')
      return {
        dialect: dialect.ofServer?.(variant) ?? dialect,
        end: ['rollback', `set session ${limit.replace(/=.*/, '= default')}`],
      }
    }
    case 'sqlite':
      // The first statement starts the snapshot.
      await query('begin')
      return { dialect, end: ['rollback'] }
  }
}

// Statements go to the driver unchanged: knex would treat a question mark in a literal as a placeholder.
function queryOn(client: Knex.Client, connection: object, engine: StoreEngine): Query {
  return async (text, values = []) => {
    const { response } = await client.query(connection, { sql: text, bindings: [...values] })
    switch (engine) {
      case 'postgres':
        return response.rows
      case 'mysql':
        return response[0]
      case 'sqlite':
        return response
    }
  }
}

/**
 * Returns the rows. Rejects if they take too long or the caller leaves. The server then ends its statement by itself, and the
 * connection is not reused.
 */
async function withinTime(
  rows: Promise<readonly Row[]>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const late = AbortSignal.timeout(limitMs + GRACE_MS)
  try {
    return await unlessAborted(rows, signal === undefined ? late : AbortSignal.any([signal, late]))
  } catch (error) {
    signal?.throwIfAborted()
    if (!late.aborted && !TIMED_OUT.includes(codeOf(error))) throw error
    throw new AppError('query_timeout', `The query took longer than the limit of ${limitMs} ms.`, {
      context: { limit_ms: limitMs },
      cause: error,
    })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
