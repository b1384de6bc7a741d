import { Shortage } from '../core/errors.ts'
import { driverCode } from './failures.ts'

/** No space, no quota, and a limit for the size of a file. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const FULL_TEXT = /No space left|Disk quota exceeded|File too large/i

/** The shortage behind an error of a file in this directory. Undefined if the error has another cause. */
export function diskShortage(error: unknown, directory: string): Shortage | undefined {
  const isFull = FULL.has(driverCode(error) ?? '') || (error instanceof Error && FULL_TEXT.test(error.message))
  return isFull ? diskIsFull(error, directory, '') : undefined
}

/** The shortage behind an error of DuckDB, with the figures that it gives. Undefined if the error has another cause. */
export function duckdbShortage(error: unknown, directory: string): Shortage | undefined {
  if (!(error instanceof Error) || !/^Out of Memory Error/.test(error.message)) return diskShortage(error, directory)
  const [, used, limit] = /\(([\d.]+ \w+)\/([\d.]+ \w+) used\)/.exec(error.message) ?? []
  const figures = used === undefined ? '' : ` (${used} of ${limit} used)`
  // DuckDB puts data beyond its memory into the directory, up to most of the free space of the disk.
  if (error.message.includes('max_temp_directory_size')) return diskIsFull(error, directory, figures)
  return new Shortage(`The memory of the cache is too small${figures}. Raise cache.memory_mb.`, { cause: error })
}

/** The error of a directory that the data of the cache cannot go to. */
export function unusableDirectory(error: unknown, directory: string): Shortage {
  const code = driverCode(error) ?? 'unknown'
  const text = (place: string) =>
    `The directory for data of the cache${place} cannot be used (${code}). Set cache.directory to a directory that this user can write to.`
  return new Shortage(text(''), { cause: error, operatorDetail: text(`, ${directory},`) })
}

function diskIsFull(cause: unknown, directory: string, figures: string): Shortage {
  const text = (place: string) =>
    `The disk of the cache${place} is full${figures}. Free space on it, or set cache.directory to a directory on a larger one.`
  return new Shortage(text(''), { cause, operatorDetail: text(`, at ${directory},`) })
}
