import { chmod, lstat, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { withinLimit } from '../../core/async.ts'
import { AppError, Shortage } from '../../core/errors.ts'
import { isForeign, makePrivateDirectory } from '../../core/private-directory.ts'
import type { CacheDatabase, CacheFiles } from '../../ports/cache-database.ts'
import { type DuckdbOptions, openDuckdb } from './duckdb.ts'
import { placeCopy } from './place-copy.ts'

interface FilesOptions extends Omit<DuckdbOptions, 'file'> {
  /** The directory that outlives the process. Null: all databases are in memory. */
  readonly stored: string | null
  /** Called with a sentence when a database that should be stored is in memory. */
  readonly onNotice: (text: string) => void
}

const NAME = /^mirror-(\d+)\.duckdb$/
const LOG = /^mirror-\d+\.duckdb\.wal$/
/** A service waits this long for a command that has opened the file, milliseconds. */
const LOCKED_MS = 5_000
const LOCKED_AGAIN_MS = 250
/** Longest wait for the disk of the directory, milliseconds. */
const DISK_MS = 10_000

/** Files that are open in this process, with the options of their cache. The lock of a file stops other processes only. */
const openHere = new Map<string, DuckdbOptions>()

/**
 * The databases of a cache in one directory. Each filling writes a separate file, so that the earlier one answers until the new one is
 * complete. DuckDB locks a file as long as it is open. A process that finds a file locked fills in memory, and tries the directory again with
 * the next filling. A process whose directory cannot be used or whose disk is full keeps its databases in memory from then on. A file is
 * removed if it cannot be opened, or if another user owns it, could write it or could put another in its place.
 */
export function createCacheFiles({ stored, onNotice, ...options }: FilesOptions): CacheFiles {
  let directory = stored
  let last = 0
  const notStored = (why: string): void => onNotice(`The cache is not stored: ${why}.`)
  const inMemory = (why: string): null => {
    if (directory !== null) notStored(why)
    directory = null
    return null
  }

  /** The database in a file. A failure of the disk is the last one: the next database is in memory. */
  const openStored = async (file: string): Promise<CacheDatabase> => {
    const database = await openFile(file, options)
    return {
      ...database,
      write: (work) =>
        database.write(work).catch((error: unknown) => {
          if (isOfDisk(error)) inMemory(reasonOf(error, directory ?? ''))
          throw error
        }),
    }
  }
  /** Null for the file of another version of DuckDB and for a damaged one, which are removed unless `isKept`. */
  const openAny = (file: string, isKept: boolean): Promise<CacheDatabase | null> =>
    openStored(file).catch(async (error: unknown) => {
      if (isLocked(error)) throw error
      if (!isKept) await removeFile(file)
      return null
    })
  const openNewest = async (
    files: readonly string[],
    isKept: boolean,
    onUnused: (why: string) => void,
  ): Promise<CacheDatabase | null> => {
    for (const file of files) {
      const found = await openAny(file, isKept)
      if (found !== null) return found
      onUnused('it is damaged, or another version of DuckDB wrote it')
    }
    return null
  }

  return {
    async open({ isKept, onUnused = () => {} }) {
      const until = Date.now() + (isKept ? 0 : LOCKED_MS)
      for (;;) {
        if (directory === null) return null
        try {
          return await openNewest(await storedFiles(directory), isKept, onUnused)
        } catch (error) {
          const isHeld = isLocked(error)
          if (!isHeld || Date.now() > until) {
            const why = reasonOf(error, directory)
            onUnused(why)
            return isHeld ? null : inMemory(why)
          }
        }
        await setTimeout(LOCKED_AGAIN_MS)
      }
    },
    async create({ mayRemove, inMemory: mustBeInMemory = false }) {
      if (directory === null) return openDuckdb(options)
      if (mustBeInMemory) {
        notStored('its disk is too small')
        return openDuckdb(options)
      }
      try {
        const files = await storedFiles(directory)
        if (files.length > 0 && !mayRemove) return openDuckdb(options)
        // Another process may have begun since `open`. Files of ended ones have no use any more.
        for (const file of files) if (openHere.get(file) !== options) await (await openAny(file, false))?.discard()
        // A write that was abandoned may still come, and then opens the log by the name of its file. So no other file ever gets that name.
        last = Math.max(Date.now(), numberOf(files[0]) + 1, last + 1)
        return await openStored(join(await realpath(directory), `mirror-${last}.duckdb`))
      } catch (error) {
        const why = reasonOf(error, directory)
        if (isLocked(error)) notStored(why)
        else inMemory(why)
        return openDuckdb(options)
      }
    },
    async removeAll() {
      if (stored === null || (await lstat(stored).catch(() => undefined)) === undefined) return
      for (const file of await storedFiles(stored)) {
        if (openHere.has(file)) continue
        try {
          await (await openAny(file, false))?.discard()
        } catch (error) {
          if (!isLocked(error)) throw error
          throw new AppError(
            'conflict',
            `The cache cannot be cleared: ${reasonOf(error, stored)}. Stop that process, or use its version and configuration.`,
          )
        }
      }
    },
    async copy(database, to, signal) {
      if (stored !== null) return placeCopy({ database, stored, directory: to, signal })
      const why = 'The cache cannot be copied: it has no directory, so no service could take it over.'
      throw new AppError('unsupported_by_connector', why)
    },
    async keepOnly({ file }) {
      if (directory === null || file === null) return
      for (const other of await storedFiles(directory)) if (other !== file) await removeFile(other)
    },
  }
}

/** The files of a private directory by their only name, newest first. Creates the directory. UnusableDirectory if its disk does not answer. */
function storedFiles(directory: string): Promise<readonly string[]> {
  return withinLimit(filesIn(directory), DISK_MS, () => new UnusableDirectory(`the disk of ${directory} does not answer`))
}

async function filesIn(directory: string): Promise<readonly string[]> {
  const { problem, wasWritable } = await makePrivateDirectory(directory)
  if (problem !== undefined) throw new UnusableDirectory(problem)
  const place = await realpath(directory)
  const names = await readdir(place)
  for (const log of names.filter((name) => LOG.test(name))) await removeIfAlone(join(place, log))
  const stored = names.filter((name) => NAME.test(name))
  const files = stored.map((name) => join(place, name)).sort((a, b) => numberOf(b) - numberOf(a))
  const own: string[] = []
  for (const file of files) {
    // It may be removed at this moment.
    const found = await lstat(file).catch(() => undefined)
    if (found?.isFile() === true && !wasWritable && !isForeign(found)) own.push(file)
    else await removeFile(file)
  }
  return own
}

/** Removes a log whose file is gone: an abandoned write makes one after the removal of its file. */
async function removeIfAlone(log: string): Promise<void> {
  const found = await lstat(log.slice(0, -'.wal'.length)).catch(() => undefined)
  if (found === undefined) await rm(log, { force: true })
}

/** The error of a directory that is not only this user's. Its message is the end of a sentence. */
class UnusableDirectory extends Error {}

async function openFile(file: string, options: DuckdbOptions): Promise<CacheDatabase> {
  if (openHere.has(file)) throw new Error('Could not set lock on file: this process has it open')
  openHere.set(file, options)
  try {
    const database = await openDuckdb({ ...options, file })
    await chmod(file, 0o600)
    const close = () => database.close().finally(() => openHere.delete(file))
    return {
      ...database,
      close,
      async discard() {
        await close()
        await removeFile(file)
      },
    }
  } catch (error) {
    openHere.delete(file)
    throw error
  }
}

async function removeFile(file: string): Promise<void> {
  // Without its log, a file is an older copy, which is right. A log without its file would belong to the next file of that name.
  await rm(`${file}.wal`, { force: true })
  await rm(file, { force: true })
}

function numberOf(file: string | undefined): number {
  return Number(NAME.exec(file?.slice(file.lastIndexOf('/') + 1) ?? '')?.[1] ?? 0)
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /could not set lock/i.test(error.message)
}

/** A full disk and other failures of the file, after which DuckDB accepts no writes. */
function isOfDisk(error: unknown): boolean {
  if (error instanceof Shortage) return isOfDisk(error.cause)
  return error instanceof Error && /IO Error|No space left|File too large|database has been invalidated/i.test(error.message)
}

function reasonOf(error: unknown, directory: string): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UnusableDirectory) return message
  if (error instanceof Shortage) return reasonOf(error.cause, directory)
  const holder = /\(PID (\d+)\)/.exec(message)?.[1]
  if (isLocked(error)) return `another process holds it${holder === undefined ? '' : ` (pid ${holder})`}`
  return `${directory} cannot be used: ${message.split('\n')[0] ?? ''}`
}
