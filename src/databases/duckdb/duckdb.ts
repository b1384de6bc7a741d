import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Dialect } from '../../compiler/dialect.ts'
import { CACHES, makeTemporaryDirectory } from '../../core/temporary-directory.ts'
import type { CacheDatabase, ScratchWriter } from '../../ports/cache-database.ts'
import type { Driver } from '../driver.ts'
import { createExecutor } from '../executor.ts'
import type { FailureKind } from '../failures.ts'
import { type Limits, MEBIBYTE, resolveLimits } from '../options.ts'
import { diskShortage, duckdbShortage } from '../shortage.ts'
import { fileRoom, memoryRoom } from './room.ts'
import { countStuckStatements, createDuckdbSession } from './session.ts'
import { createScratchWriter, createWriter, SCRATCH_SETTINGS } from './writer.ts'

/** No more databases are opened once this many of Node's four shared threads are held by abandoned statements. */
const MOST_STUCK = 2

/** `close` waits this long for abandoned writes, milliseconds. */
const CLOSE_MS = 5_000

export interface DuckdbOptions {
  readonly dialect: Dialect
  /** Memory limit of the database, mebibytes. Data beyond it goes to `directory`. */
  readonly memoryMb: number
  /** The database creates a subdirectory for data that does not fit into memory, and removes it when it is closed. */
  readonly directory: string
  /** The file of the database, which stays when it is closed. Absent: the database is in memory. */
  readonly file?: string | undefined
  readonly statementTimeoutMs?: number | undefined
  /** Number of snapshots that may be open at a time. */
  readonly poolSize?: number | undefined
  readonly queueLimit?: number | undefined
  readonly queueMs?: number | undefined
}

/**
 * Opens DuckDB in this process: a database in memory, or the one in `file`. Closing it removes the files of its own directory, not `file`.
 * Readers see the data that was committed when their snapshot began.
 */
export async function openDuckdb(options: DuckdbOptions): Promise<CacheDatabase> {
  if (countStuckStatements() >= MOST_STUCK)
    throw new Error('DuckDB has not ended several statements: only a restart frees their threads.')
  // In a shared directory, two databases would give their files the same names. Other users must not read the files.
  const directory = await makeTemporaryDirectory(options.directory, CACHES).catch((error: unknown) => {
    throw diskShortage(error, options.directory) ?? error
  })
  const opened = await open(options, directory.path).catch(async (error: unknown) => {
    await directory.remove()
    throw error
  })
  const { instance } = opened
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
  const writer = createWriter(opened.connection, options.dialect)
  let small: Promise<Opened & { readonly writer: ScratchWriter }> | undefined
  const openSmall = async () => {
    const made = await open({ memoryMb: options.memoryMb, spill: 'scratch' }, directory.path, SCRATCH_SETTINGS)
    return { ...made, writer: createScratchWriter(made.connection, options.dialect) }
  }
  let writes: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await reader.close()
    // An abandoned write may still run. Closing the instance during a write would end the process, so the instance then stays
    // open.
    const isAtRest = await Promise.race([writes.then(() => true), setTimeout(CLOSE_MS, false, { ref: false })])
    if (isAtRest) {
      for (const each of [await small?.catch(() => undefined), opened]) {
        each?.connection.disconnectSync()
        each?.instance.closeSync()
      }
    }
    await directory.remove()
  }
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  const { file } = options
  const write: CacheDatabase['write'] = (work) => {
    if (closing !== undefined) return Promise.reject(new Error('the database of the cache is closed'))
    const written = writes
      .then(() => work(writer))
      .catch((error: unknown) => {
        throw duckdbShortage(error, file === undefined ? directory.path : dirname(file)) ?? error
      })
    writes = written.catch(() => {})
    return written
  }
  return {
    reader,
    directory: directory.path,
    write,
    room(rows) {
      if (rows === 'held' && file !== undefined) return fileRoom(file)
      return write((own) => memoryRoom(own, options.memoryMb * MEBIBYTE, directory.path))
    },
    async scratch() {
      small ??= openSmall()
      return (await small).writer
    },
    file: file ?? null,
    close: closeOnce,
    discard: closeOnce,
  }
}

interface Opened {
  readonly instance: DuckDBInstance
  readonly connection: DuckDBConnection
}

/** The instance with its connection for writing. From then on it reads no file outside `directory`, and keeps its settings. */
async function open(
  { file, memoryMb, spill = '' }: Pick<DuckdbOptions, 'file' | 'memoryMb'> & { readonly spill?: string },
  directory: string,
  settings: readonly string[] = [],
): Promise<Opened> {
  const instance = await DuckDBInstance.create(file ?? ':memory:', {
    memory_limit: `${memoryMb}MiB`,
    // Two instances would give their files the same names.
    temp_directory: join(directory, spill),
    // Without it, freed memory often stays with the process until the thread that allocated it works again, which may be never.
    allocator_background_threads: 'true',
  })
  const connection = await instance.connect()
  await connection.run("attach ':memory:' as work")
  await connection.run(`set allowed_directories = ['${directory.replaceAll("'", "''")}']`)
  for (const setting of settings) await connection.run(setting)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
  const main = (await connection.runAndReadAll('select current_database()')).getRows()[0]?.[0]
  await connection.run(`set search_path = '${String(main).replaceAll("'", "''")}.main,work.main'`)
  return { instance, connection }
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
