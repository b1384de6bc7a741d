import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError, Shortage } from '../../core/errors.ts'
import { bytesText, freeDiskBytes } from '../../core/machine-room.ts'
import type { CacheDatabase, DatabaseCopy } from '../../ports/cache-database.ts'
import { driverCode } from '../failures.ts'

/** A copy of a database, and where it goes. */
interface Placing {
  readonly database: CacheDatabase
  /** The directory of the cache. The copy gets one of the same name, because the name stands for the configuration. */
  readonly stored: string
  /** The directory for that one. */
  readonly directory: string
  readonly signal: AbortSignal | undefined
}

/**
 * Copies a database into a directory that does not exist or is empty. The rows go into the private directory of the database first, because it can
 * write nowhere else. AppError for a directory that cannot be used, and without room.
 */
export async function placeCopy({ database, stored, directory, signal }: Placing): Promise<DatabaseCopy> {
  const place = await placeOf(directory, [stored, database.directory])
  const isNew = await made(place, directory)
  const complete = join(place, basename(stored))
  const draft = `${complete}.copying`
  let file: string | undefined
  try {
    if (!isNew && (await readdir(place)).length > 0) throw refused(directory, 'is not empty')
    await mkdir(draft, { mode: 0o700 })
    const { taken } = await database.room('held')
    for (const disk of [database.directory, place]) await checkRoom(disk, taken)
    file = await database.copy(signal)
    const { size } = await stat(file)
    await move(file, join(draft, `mirror-${Date.now()}.duckdb`), signal)
    signal?.throwIfAborted()
    await rename(draft, complete)
    return { directory: complete, bytes: size }
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    if (file !== undefined) await rm(file, { force: true })
    if (isNew) await rmdir(place).catch(() => {})
    signal?.throwIfAborted()
    throw readable(error, directory)
  }
}

/** The real path of a directory, which need not exist yet, outside of `own`. */
async function placeOf(directory: string, own: readonly string[]): Promise<string> {
  if (!isAbsolute(directory)) throw refused(directory, 'is no absolute path')
  const parent = await realpath(dirname(directory)).catch((error: unknown) => {
    throw refused(dirname(directory), `cannot be used (${codeOf(error)})`)
  })
  const place = await realpath(directory).catch(() => join(parent, basename(directory)))
  for (const each of own) {
    const real = await realpath(each).catch(() => each)
    if (`${place}${sep}`.startsWith(`${real}${sep}`)) throw refused(directory, 'is inside the directory of the cache')
  }
  return place
}

/** Creates the directory, which only its owner can enter. False if it exists. */
async function made(place: string, directory: string): Promise<boolean> {
  try {
    await mkdir(place, { mode: 0o700 })
    return true
  } catch (error) {
    const found = await stat(place).catch(() => undefined)
    if (found === undefined) throw refused(directory, `cannot be used (${codeOf(error)})`)
    if (!found.isDirectory()) throw refused(directory, 'is no directory')
    return false
  }
}

async function checkRoom(disk: string, need: number): Promise<void> {
  const free = await freeDiskBytes(disk)
  if (free === null || free >= need) return
  throw new AppError(
    'conflict',
    `The cache cannot be copied: it takes up to ${bytesText(need)}, and ${bytesText(free)} are free on the disk of ${disk}.`,
  )
}

/** Moves a file, also to another disk. */
async function move(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    return await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
  }
  const written = createWriteStream(to, { mode: 0o600, flush: true })
  await pipeline(createReadStream(from), written, signal === undefined ? {} : { signal })
  await rm(from, { force: true })
}

function refused(directory: string, why: string): AppError {
  return new AppError('invalid_value', `The cache cannot be copied: ${directory} ${why}.`)
}

/** Errors of disks, as the caller should know them. Any other error stays what it is. */
function readable(error: unknown, directory: string): unknown {
  if (error instanceof Shortage)
    return new AppError('conflict', error.message, {
      operatorDetail: error.operatorDetail,
      cause: error,
    })
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfSystem ? refused(directory, `cannot be written to (${codeOf(error)})`) : error
}

function codeOf(error: unknown): string {
  return driverCode(error) ?? 'unknown'
}
