import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { makeDirectory } from '../../../core/make-directory.ts'

const OWNER_DIRECTORY = 0o700
const OWNER_FILE = 0o600
/** Permissions of all users except the owner. */
const OTHERS = 0o077
/** Suffixes that SQLite and the key file add to the name of a store. */
const SUFFIXES = ['', '-wal', '-shm', '-journal', '.key']

/** Creates the directory of an embedded store if it is missing. Only its owner can access it. */
export async function makeStoreDirectory(directory: string): Promise<void> {
  await makeDirectory(directory, OWNER_DIRECTORY)
}

/**
 * Lets only the owner access the files of an embedded store. Does the same for the directory if it holds nothing else. If the
 * store is missing, creates it as an empty file first, because SQLite gives its other files the same permissions. Returns the
 * paths whose permissions were changed.
 */
export async function restrictToOwner(file: string): Promise<readonly string[]> {
  // If the file cannot be created, SQLite reports why.
  await writeFile(file, '', { flag: 'wx', mode: OWNER_FILE }).catch(() => {})
  const closed: string[] = []
  for (const path of await filesOpenToOthers(file)) {
    const { mode } = await stat(path)
    const isClosed = await chmod(path, mode & ~OTHERS & 0o777).then(
      () => true,
      () => false,
    )
    if (isClosed) closed.push(path)
  }
  return closed
}

/** The files of an embedded store that other users of the machine can access, and its directory if it holds nothing else. */
export async function filesOpenToOthers(file: string): Promise<readonly string[]> {
  // Windows has no such permissions, so Node reports every file as open to all.
  if (process.platform === 'win32') return []
  const directory = dirname(file)
  const files = SUFFIXES.map((suffix) => `${file}${suffix}`)
  const paths = (await holdsNothingElse(directory, file)) ? [directory, ...files] : files
  const found = await Promise.all(paths.map(async (path) => ((await isOpen(path)) ? [path] : [])))
  return found.flat()
}

async function isOpen(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.mode & OTHERS) !== 0
}

// A directory that the user chose may be shared with other programs.
async function holdsNothingElse(directory: string, file: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => [])
  return names.length > 0 && names.every((name) => name.startsWith(basename(file)))
}
