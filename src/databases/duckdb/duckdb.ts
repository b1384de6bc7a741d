import { setTimeout } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Dialect } from '../../compiler/dialect.ts'
import { CACHES, makeTemporaryDirectory } from '../../core/temporary-directory.ts'
import type { CacheDatabase, CacheWriter } from '../../ports/cache-database.ts'
import type { Driver } from '../driver.ts'
import { createExecutor } from '../executor.ts'
import type { FailureKind } from '../failures.ts'
import { type Limits, resolveLimits } from '../options.ts'
import { countStuckStatements, createDuckdbSession, send } from './session.ts'
import { appendCell } from './values.ts'

/** No more databases are opened once this many of Node's four shared threads are held by abandoned statements. */
const MOST_STUCK = 2

/** `close` waits this long for abandoned writes, milliseconds. */
const CLOSE_MS = 5_000

interface DuckdbOptions {
  readonly dialect: Dialect
  /** Memory limit of the database, mebibytes. Data beyond it goes to `directory`. */
  readonly memoryMb: number
  /** The database creates a subdirectory for data that does not fit into memory, and removes it when it is closed. */
  readonly directory: string
  readonly statementTimeoutMs?: number | undefined
  /** Number of snapshots that may be open at a time. */
  readonly poolSize?: number | undefined
  readonly queueLimit?: number | undefined
  readonly queueMs?: number | undefined
}

/** Opens an empty DuckDB in this process. Closing deletes it. Readers see the data that was committed when their snapshot began. */
export async function openDuckdb(options: DuckdbOptions): Promise<CacheDatabase> {
  if (countStuckStatements() >= MOST_STUCK)
    throw new Error('DuckDB has not ended several statements: only a restart frees their threads.')
  // In a shared directory, two databases would give their files the same names. Other users must not read the files.
  const directory = await makeTemporaryDirectory(options.directory, CACHES)
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb}MiB`,
    temp_directory: directory.path,
    // Statements carry all their values, so the database never needs to read or write anything outside itself.
    enable_external_access: 'false',
    lock_configuration: 'true',
  }).catch(async (error: unknown) => {
    await directory.remove()
    throw error
  })
  const limits = resolveLimits(options)
  const driver = createDriver(instance, options.dialect, limits)
  const reader = createExecutor(driver, limits, {
    state: async () => ({
      role: 'unknown',
      lag_seconds: null,
      data_through: null,
      doubt: null,
      version: 'DuckDB',
    }),
    schema: async () => 'main',
    writePrivileges: async () => [],
  })
  const writes = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await reader.close()
    // An abandoned write may still run. Closing the instance during a write would end the process, so the instance then stays
    // open.
    const ended = Promise.allSettled(writes).then(() => true)
    const isAtRest = await Promise.race([ended, setTimeout(CLOSE_MS, false, { ref: false })])
    if (isAtRest) instance.closeSync()
    await directory.remove()
  }
  return {
    reader,
    write(work) {
      if (closing !== undefined) return Promise.reject(new Error('the database of the cache is closed'))
      const written = write(instance, options.dialect, work)
      writes.add(written)
      return written.finally(() => writes.delete(written))
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Runs `work` in one transaction that is committed as a whole or not at all. */
async function write<T>(instance: DuckDBInstance, dialect: Dialect, work: (writer: CacheWriter) => Promise<T>): Promise<T> {
  const connection = await instance.connect()
  try {
    await connection.run('begin transaction')
    const result = await work(createWriter(connection, dialect))
    await connection.run('commit')
    return result
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  } finally {
    connection.disconnectSync()
  }
}

function createWriter(connection: DuckDBConnection, dialect: Dialect): CacheWriter {
  return {
    dialect,
    query: (statement) => send(connection, statement),
    async append(table, columns, rows) {
      const appender = await connection.createAppender(table)
      try {
        for (const row of rows) {
          for (const { name, type } of columns) appendCell(appender, row[name] ?? null, type)
          appender.endRow()
        }
        appender.flushSync()
      } finally {
        appender.closeSync()
      }
    },
  }
}

function createDriver(instance: DuckDBInstance, dialect: Dialect, limits: Limits): Driver {
  const { statementTimeoutMs } = limits
  return {
    variant: 'duckdb',
    dialect,
    statementTimeoutMs,
    // To begin or end a transaction, DuckDB waits for a thread, behind other statements.
    connectTimeoutMs: Math.max(limits.connectTimeoutMs, limits.statementTimeoutMs),
    connect: async () => createDuckdbSession(await instance.connect(), statementTimeoutMs),
    failureKind: (error, elapsedMs) => duckdbFailure(error, elapsedMs, statementTimeoutMs),
    close: async () => {},
  }
}

function duckdbFailure(error: unknown, elapsedMs: number, limitMs: number): FailureKind {
  const message = error instanceof Error ? error.message : ''
  if (/^(Out of Range|Conversion) Error:.*(out of range|overflow)/is.test(message)) return 'too_large'
  if (!/^INTERRUPT/i.test(message)) return 'refused'
  return elapsedMs >= limitMs ? 'timeout' : 'cancelled'
}
