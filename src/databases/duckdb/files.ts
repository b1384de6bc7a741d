import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CacheDatabase, CacheFiles } from '../../ports/cache-database.ts'
import { type DuckdbOptions, openDuckdb } from './duckdb.ts'

interface FilesOptions extends Omit<DuckdbOptions, 'file'> {
  /** The directory that outlives the process. Null: all databases are in memory. */
  readonly stored: string | null
  /** Called with a sentence when databases are in memory although a directory is given. */
  readonly onNotice: (text: string) => void
}

const NAME = /^mirror-(\d+)\.duckdb$/
/** Rights of the group and of others. */
const FOREIGN_RIGHTS = 0o077

/** Files that are open in this process. The lock of a file stops other processes only. */
const openHere = new Set<string>()

/**
 * The databases of a cache in one directory. Each filling writes a separate file, so that the earlier one answers until the new one is
 * complete. DuckDB locks its file for the life of the process. A process that finds a file locked keeps its cache in memory, as does one
 * whose directory cannot be used. A file that cannot be opened, and every file of a directory that others could write, is removed.
 */
export function createCacheFiles({ stored, onNotice, ...options }: FilesOptions): CacheFiles {
  let directory = stored
  const inMemory = (why: string): null => {
    if (directory !== null) onNotice(`The cache is not stored: ${why}.`)
    directory = null
    return null
  }

  return {
    async open() {
      if (directory === null) return null
      try {
        const files = await storedFiles(directory)
        for (const file of files) {
          const found = await openFile(file, options).catch(async (error: unknown) => {
            if (isLocked(error)) throw error
            // The file of another version of DuckDB, or a damaged one.
            await removeFile(file)
            return null
          })
          if (found !== null) return found
        }
        return null
      } catch (error) {
        return inMemory(reasonOf(error, directory))
      }
    },
    async create() {
      if (directory === null) return openDuckdb(options)
      const [newest] = await storedFiles(directory).catch(() => [])
      const file = join(directory, `mirror-${numberOf(newest) + 1}.duckdb`)
      try {
        return await openFile(file, options)
      } catch (error) {
        inMemory(reasonOf(error, directory))
        return openDuckdb(options)
      }
    },
    async keepOnly({ file }) {
      if (directory === null || file === null) return
      for (const other of await storedFiles(directory)) if (other !== file) await removeFile(other)
    },
  }
}

/** The files of a private directory, newest first. Creates the directory. */
async function storedFiles(directory: string): Promise<readonly string[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { uid, mode } = await lstat(directory)
  if (uid !== process.getuid?.()) throw new Error('its directory belongs to another user')
  const names = (await readdir(directory)).filter((name) => NAME.test(name))
  const files = names.map((name) => join(directory, name)).sort((a, b) => numberOf(b) - numberOf(a))
  if ((mode & FOREIGN_RIGHTS) === 0) return files
  // Others may have written to the files.
  await chmod(directory, 0o700)
  for (const file of files) await removeFile(file)
  return []
}

async function openFile(file: string, options: DuckdbOptions): Promise<CacheDatabase> {
  if (openHere.has(file)) throw new Error('Could not set lock on file: this process has it open')
  openHere.add(file)
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
  await rm(file, { force: true })
  await rm(`${file}.wal`, { force: true })
}

function numberOf(file: string | undefined): number {
  return Number(NAME.exec(file?.slice(file.lastIndexOf('/') + 1) ?? '')?.[1] ?? 0)
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /could not set lock/i.test(error.message)
}

function reasonOf(error: unknown, directory: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const holder = /\(PID (\d+)\)/.exec(message)?.[1]
  if (isLocked(error)) return `another process holds it${holder === undefined ? '' : ` (pid ${holder})`}`
  return `${directory} cannot be used: ${message.split('\n')[0] ?? ''}`
}
