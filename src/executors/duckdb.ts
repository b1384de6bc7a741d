import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import type { CacheDatabase, CacheWriter, Row } from '../engine/ports.ts'
import { withDeadline } from './deadline.ts'
import type { Driver, DriverSession } from './driver.ts'
import { appendCell, readCell } from './duckdb-values.ts'
import { createExecutor } from './executor.ts'
import type { FailureKind } from './failures.ts'
import { resolveLimits } from './options.ts'

const INTERRUPT_EVERY_MS = 20

export interface DuckdbOptions {
  readonly dialect: Dialect
  /** Most memory that the database may take, mebibytes; what does not fit goes to `directory`. */
  readonly memoryMb: number
  /** Where it makes a directory of its own for what does not fit into memory; removed when the database is closed. */
  readonly directory: string
  readonly statementTimeoutMs?: number | undefined
  /** Most snapshots at a time. */
  readonly poolSize?: number | undefined
  readonly queueLimit?: number | undefined
}

/** A DuckDB in this process, empty and gone when it is closed. Readers see what was committed when their snapshot began. */
export async function openDuckdb(options: DuckdbOptions): Promise<CacheDatabase> {
  // Files of two databases in one directory have the same names; what they hold is nobody else's to read (mkdtemp: 0700).
  const directory = await mkdtemp(join(options.directory, 'plumbline-cache-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb}MiB`,
    temp_directory: directory,
    // What travels in a statement is values: nothing outside this database is ever read or written.
    enable_external_access: 'false',
    lock_configuration: 'true',
  }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const limits = resolveLimits(options)
  const driver = createDriver(instance, options.dialect, limits.statementTimeoutMs)
  const reader = createExecutor(driver, limits, {
    state: async () => ({ role: 'unknown', lag_seconds: null, data_through: null, version: 'DuckDB', schema: 'main' }),
    writePrivileges: async () => [],
  })
  return {
    reader,
    write: (work) => write(instance, options.dialect, work),
    async close() {
      await reader.close()
      instance.closeSync()
      await remove()
    },
  }
}

/** One transaction: all of it or nothing. */
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

async function send(connection: DuckDBConnection, { text, values }: Statement): Promise<readonly Row[]> {
  const bound = values.map((value) => (value === null ? null : String(value)))
  const reader = await connection.runAndReadAll(text, bound)
  const names = reader.deduplicatedColumnNames()
  return reader.getRows().map((row) => Object.fromEntries(row.map((value, index) => [names[index], readCell(value)])))
}

function createDriver(instance: DuckDBInstance, dialect: Dialect, statementTimeoutMs: number): Driver {
  return {
    variant: 'duckdb',
    dialect,
    statementTimeoutMs,
    connectTimeoutMs: undefined,
    connect: async () => createSession(await instance.connect(), statementTimeoutMs),
    failureKind: (error, elapsedMs) => duckdbFailure(error, elapsedMs, statementTimeoutMs),
    close: async () => {},
  }
}

function createSession(connection: DuckDBConnection, statementTimeoutMs: number): DriverSession {
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  let isClosing = false
  // An interrupt that comes before the statement has begun is lost, so it is repeated until the statement ends.
  const stop = async (): Promise<void> => {
    while (isBusy) {
      connection.interrupt()
      await Promise.race([running, setTimeout(INTERRUPT_EVERY_MS)])
    }
  }
  const close = (): void => {
    if (isClosing) return
    isClosing = true
    void stop().then(() => connection.disconnectSync())
  }
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    const sent = send(connection, statement)
    isBusy = true
    running = sent.then(
      () => (isBusy = false),
      () => (isBusy = false),
    )
    return withDeadline(
      statementTimeoutMs,
      () => void stop(),
      () => sent,
    )
  }
  return {
    async begin() {
      await connection.run('begin transaction')
      // DuckDB takes its snapshot with the first look at the database, not with the word.
      await connection.run('select count(*) from duckdb_tables()')
    },
    query: run,
    async *batches(statement) {
      yield await run(statement)
    },
    end: async () => {
      await connection.run('rollback')
    },
    cancel: stop,
    release: close,
    destroy: close,
  }
}

function duckdbFailure(error: unknown, elapsedMs: number, limitMs: number): FailureKind {
  const message = error instanceof Error ? error.message : ''
  if (!/^INTERRUPT/i.test(message)) return 'refused'
  return elapsedMs >= limitMs ? 'timeout' : 'cancelled'
}
