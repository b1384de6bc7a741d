import type { Knex } from 'knex'
import { unlessAborted } from '../../core/async.ts'
import { AppError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { type Access, type Database, engineOf, type StoreEngine } from './database.ts'

type Dialect = StoreSnapshot['dialect']

/** How the store is read by statements of metrics. */
export interface ReadingOptions {
  /** How each kind of store is spoken to. */
  readonly dialects: Readonly<Record<StoreEngine, Dialect>>
  /** A statement that takes longer ends with `query_timeout`, milliseconds. */
  readonly statementTimeoutMs: number
  /** How much memory one sort, hash or temporary table of a statement may take on a server, bytes. */
  readonly sessionMemoryBytes: number
}

/** An answer is awaited this much longer than the server's own limit. */
const GRACE_MS = 5_000
/** What servers say of a statement that took too long. */
const TIMED_OUT: readonly string[] = ['57014', 'ER_STATEMENT_TIMEOUT', 'ER_QUERY_TIMEOUT']

type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/**
 * Runs work in one read-only snapshot of the store. AppError `query_timeout`, and what the store's access rejects with; the signal's reason when
 * the caller has left.
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
      // What may still have a transaction open, or a statement running, is not used again.
      if (!isSound) Object.assign(connection, { __knex__disposed: 'a snapshot broke off' })
      await client.releaseConnection(connection)
    }
  })
}

interface Begun {
  readonly dialect: Dialect
  /** What brings the connection back to where it was. */
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
      // As for the billing database: compilation does not pay for statements that run once.
      await query('set local jit = off')
      return { dialect, end: ['rollback'] }
    case 'mysql': {
      const [row] = await query('select version() as version')
      const variant = /mariadb/i.test(String(row?.['version'])) ? 'mariadb' : 'mysql'
      const limit =
        variant === 'mariadb' ? `max_statement_time = ${limitMs / 1_000}` : `max_execution_time = ${Math.ceil(limitMs)}`
      await query(`set session ${limit}`)
      // Some servers reserve these to administrators. They change no answer, so they may stay on the connection.
      await query(`set session tmp_table_size = ${memory}, max_heap_table_size = ${memory}`).catch(() => undefined)
      await query('set transaction isolation level repeatable read')
      await query('start transaction with consistent snapshot, read only')
      return {
        dialect: dialect.ofServer?.(variant) ?? dialect,
        end: ['rollback', `set session ${limit.replace(/=.*/, '= default')}`],
      }
    }
    case 'sqlite':
      // The snapshot is that of the first statement.
      await query('begin')
      return { dialect, end: ['rollback'] }
  }
}

// Statements go to the driver as they are: knex would take a question mark in a literal for a value.
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

/** The rows, unless they take too long or the caller leaves. A server ends its statement by itself; the connection is not used again. */
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
