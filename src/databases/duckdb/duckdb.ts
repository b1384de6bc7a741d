import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { TableDialect } from '../../compiler/dialect.ts'
import { quoted } from '../../compiler/literal.ts'
import { AppError } from '../../core/errors.ts'
import { CACHES, makeTemporaryDirectory } from '../../core/temporary-directory.ts'
import type { CacheDatabase, ScratchWriter } from '../../ports/cache-database.ts'
import type { Driver } from '../driver.ts'
import { createExecutor } from '../executor.ts'
import type { FailureKind } from '../failures.ts'
import { type Limits, MEBIBYTE, resolveLimits } from '../options.ts'
import { diskShortage, duckdbShortage, unusableDirectory } from '../shortage.ts'
import { copyTables } from './copy.ts'
import { fileRoom, memoryRoom } from './room.ts'
import { countStuckStatements, createDuckdbSession } from './session.ts'
import { createScratchWriter, createWriter, SCRATCH_SETTINGS } from './writer.ts'

/** No more databases are opened once this many of Node's four shared threads are held by abandoned statements. */
const MOST_STUCK = 2

/** `close` waits this long for abandoned writes, milliseconds. */
const CLOSE_MS = 5_000

export interface DuckdbOptions {
  readonly dialect: TableDialect
  /** Memory limit of the database, mebibytes. Data beyond it goes to `directory`. */
  readonly memoryMb: number
  /** The database creates a subdirectory for data that does not fit into memory, and removes it when it is closed. */
  readonly directory: string
  /** The place of the subdirectory if `directory` cannot be used. */
  readonly otherwise?: string | undefined
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
  const directory = await makeSubdirectory(options.directory, options.otherwise)
  const opened = await open(options, directory.path).catch(async (error: unknown) => {
    await directory.remove()
    throw error
  })
  const { instance, main } = opened
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
  let copies: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    ending.abort(new AppError('conflict', 'The cache cannot be copied: it was closed or replaced meanwhile. Try again.'))
    await reader.close()
    // An abandoned write may still run. Closing the instance during a write would end the process, so the instance then stays
    // open.
    const atRest = Promise.all([writes, copies]).then(() => true)
    const isAtRest = await Promise.race([atRest, setTimeout(CLOSE_MS, false, { ref: false })])
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
    copy(signal) {
      if (closing !== undefined) return Promise.reject(ending.signal.reason)
      const ends = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])])
      const copied = instance.connect().then((connection) => copyTables(connection, main, directory.path, ends))
      copies = copied.catch(() => {})
      return copied
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

/** Shortage if the disk is full, or neither place can be used. */
async function makeSubdirectory(directory: string, otherwise = directory): ReturnType<typeof makeTemporaryDirectory> {
  try {
    return await makeTemporaryDirectory(directory, CACHES)
  } catch (error) {
    const full = diskShortage(error, directory)
    if (full !== undefined) throw full
    if (otherwise === directory) throw unusableDirectory(error, directory)
    return makeSubdirectory(otherwise)
  }
}

interface Opened {
  readonly instance: DuckDBInstance
  readonly connection: DuckDBConnection
  /** The name of the main database. */
  readonly main: string
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
  await connection.run(`set allowed_directories = [${quoted(directory)}]`)
  for (const setting of settings) await connection.run(setting)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
  const main = String((await connection.runAndReadAll('select current_database()')).getRows()[0]?.[0])
  await connection.run(`set search_path = ${quoted(`${main}.main,work.main`)}`)
  return { instance, connection, main }
}

function createDriver(instance: DuckDBInstance, dialect: TableDialect, limits: Limits): Driver {
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
