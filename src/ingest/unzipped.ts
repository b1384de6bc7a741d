import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { AppError } from '../core/errors.ts'
import type { CsvSource } from './csv-text.ts'
import { type ZipEntry, zipEntries } from './zip-directory.ts'

/** First bytes of a ZIP archive. */
const SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1')
/** Beside each file macOS puts one of its own into an archive. */
const OF_MACOS = '__MACOSX/'
const STORED = 0
const DEFLATED = 8
const MOST_FILES = 1_000
/** How much of an archive is inflated at a time. */
const PIECE_BYTES = 65_536

/**
 * The CSV file in a ZIP archive; what is no archive passes as it is. An archive is held, its file streams. AppError `invalid_csv` when it is
 * damaged or does not hold one CSV file, `payload_too_large` when it or that file has more than `maxBytes`, whatever the archive says of it.
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
  if (isArchive === true) yield* inflated(onlyCsv(Buffer.concat(held)), maxBytes)
  else yield* held
}

function onlyCsv(archive: Uint8Array): ZipEntry {
  const found: ZipEntry[] = []
  let listed = 0
  try {
    for (const entry of zipEntries(archive)) {
      listed += 1
      if (listed > MOST_FILES) break
      if (entry.name.toLowerCase().endsWith('.csv') && !entry.name.startsWith(OF_MACOS)) found.push(entry)
    }
  } catch (cause) {
    throw damaged('its directory cannot be read', cause)
  }
  const [entry] = found
  if (entry !== undefined && found.length === 1 && listed <= MOST_FILES) return entry
  const count = listed > MOST_FILES ? `more than ${MOST_FILES} files` : String(found.length)
  throw new AppError('invalid_csv', `The ZIP archive must hold one CSV file; it holds ${count}.`)
}

/** The pieces of a file, counted while they come: what the archive says of its size and checksum may be wrong, or a lie. */
async function* inflated(
  { packed, method, isEncrypted, size, checksum }: ZipEntry,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  if (isEncrypted) throw new AppError('invalid_csv', 'The file in the ZIP archive is encrypted; only plain ones can be read.')
  if (method !== STORED && method !== DEFLATED) {
    throw new AppError('invalid_csv', `The file in the ZIP archive is compressed by method ${method}; only deflate can be read.`)
  }
  if (size > maxBytes) throw tooLarge(maxBytes)
  let bytes = 0
  let sum = 0
  for await (const piece of method === STORED ? [packed] : inflating(packed)) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    sum = crc32(piece, sum)
    yield piece
  }
  if (bytes !== size || sum !== checksum) throw damaged('its file does not have the size and checksum that it is listed with')
}

async function* inflating(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw()
  const pieces = Readable.from(slices(packed), { objectMode: false })
  try {
    for await (const piece of pieces.pipe(inflate)) yield piece
  } catch (cause) {
    throw damaged('its file cannot be inflated', cause)
  } finally {
    pieces.destroy()
    inflate.destroy()
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

function damaged(why: string, cause?: unknown): AppError {
  return new AppError('invalid_csv', `The ZIP archive is damaged: ${why}.`, { cause })
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The file is larger than ${maxBytes} bytes.`, { context: { limit_bytes: maxBytes } })
}
