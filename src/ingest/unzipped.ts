import { crc32 } from 'node:zlib'
import { type UnzipFileInfo, unzipSync } from 'fflate'
import { AppError } from '../core/errors.ts'
import type { CsvSource } from './csv-stream.ts'
import { checksumIn } from './zip-checksum.ts'

/** First bytes of a ZIP archive. */
const SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1')
/** Beside each file macOS puts one of its own into an archive. */
const OF_MACOS = '__MACOSX/'

/**
 * The CSV file in a ZIP archive; what is no archive passes as it is. An archive is read whole. AppError `invalid_csv` when it is damaged
 * or does not hold one CSV file, `payload_too_large` when it or that file has more than `maxBytes`.
 */
export async function* unzipped(source: CsvSource, maxBytes: number): AsyncGenerator<string | Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  let isArchive: boolean | undefined
  for await (const given of typeof source === 'string' ? [source] : source) {
    const piece = typeof given === 'string' ? Buffer.from(given) : given
    if (isArchive === false) {
      yield piece
      continue
    }
    held.push(piece)
    size += piece.byteLength
    if (isArchive === undefined && size >= SIGNATURE.length) {
      isArchive = SIGNATURE.equals(Buffer.concat(held).subarray(0, SIGNATURE.length))
      if (!isArchive) {
        yield* held
        held = []
      }
    }
    if (size > maxBytes && isArchive === true) throw tooLarge(maxBytes)
  }
  if (isArchive === true) yield onlyCsv(Buffer.concat(held), maxBytes)
  else yield* held
}

// Only the first is extracted: many that are small in the archive would together fill the memory.
function onlyCsv(archive: Uint8Array, maxBytes: number): Uint8Array {
  let found = 0
  const wanted = ({ name, originalSize }: UnzipFileInfo): boolean => {
    if (!name.toLowerCase().endsWith('.csv') || name.startsWith(OF_MACOS)) return false
    found += 1
    if (found === 1 && originalSize > maxBytes) throw tooLarge(maxBytes)
    return found === 1
  }
  const [entry] = Object.entries(extracted(archive, wanted))
  if (entry !== undefined && found === 1) return intact(archive, ...entry)
  throw new AppError('invalid_csv', `The ZIP archive must hold one CSV file; it holds ${found}.`)
}

// What extracts does not look at the checksum, and a digit that has changed is still a digit.
function intact(archive: Uint8Array, name: string, file: Uint8Array): Uint8Array {
  if (checksumIn(archive, name) === crc32(file)) return file
  throw new AppError('invalid_csv', 'The ZIP archive is damaged: its file does not have the checksum that it is listed with.')
}

function extracted(archive: Uint8Array, filter: (file: UnzipFileInfo) => boolean): Readonly<Record<string, Uint8Array>> {
  try {
    return unzipSync(archive, { filter })
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid_csv', 'The ZIP archive is damaged.', { cause })
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The file is larger than ${maxBytes} bytes.`, { context: { limit_bytes: maxBytes } })
}
