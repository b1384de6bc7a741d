import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { AppError } from '../../core/errors.ts'
import { onDemand } from '../../core/on-demand.ts'
import type { CsvSource } from './text.ts'

/** First bytes of a ZIP archive. */
const SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1')
/** macOS adds a separate file for each file in an archive. */
const OF_MACOS = '__MACOSX/'
const MOST_FILES = 1_000

/**
 * Reads the CSV file in a ZIP archive. Other input passes unchanged. The archive is held in memory, but its file is streamed.
 * AppError `invalid_csv` if the archive is damaged or does not hold exactly one CSV file. `payload_too_large` if the archive or
 * the file exceeds `maxBytes`, whatever size the archive states.
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
  if (isArchive === true) yield* inflated(Buffer.concat(held), maxBytes)
  else yield* held
}

const yauzl = onDemand(() => import('yauzl'))

/** The only CSV file of an archive. AppError `invalid_csv` if there is no such file or more than one. */
async function openCsv(archive: Buffer): Promise<{ readonly zip: ZipFile; readonly entry: Entry }> {
  const found: Entry[] = []
  const { fromBufferPromise } = await yauzl()
  try {
    const zip = await fromBufferPromise(archive)
    if (zip.entryCount > MOST_FILES) throw notOneFile(`more than ${MOST_FILES} files`)
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.toLowerCase().endsWith('.csv') && !entry.fileName.startsWith(OF_MACOS)) found.push(entry)
    }
    const [entry] = found
    if (entry !== undefined && found.length === 1) return { zip, entry }
  } catch (cause) {
    throw cause instanceof AppError ? cause : damaged('its directory cannot be read', cause)
  }
  throw notOneFile(String(found.length))
}

/** Inflates the file in pieces. Stops at the size that the archive states. This size may not exceed `maxBytes`. */
async function* inflated(archive: Buffer, maxBytes: number): AsyncGenerator<Uint8Array> {
  const { zip, entry } = await openCsv(archive)
  if (entry.isEncrypted())
    throw new AppError('invalid_csv', 'The file in the ZIP archive is encrypted. Send it without a password.')
  if (!entry.canDecodeFileData()) {
    const method = entry.compressionMethod
    throw new AppError(
      'invalid_csv',
      `The file in the ZIP archive is compressed with method ${method}. Only deflate is supported.`,
    )
  }
  if (entry.uncompressedSize > maxBytes) throw tooLarge(maxBytes)
  let sum = 0
  try {
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : damaged('its file cannot be inflated', cause)
  }
  if (sum !== entry.crc32) throw damaged('the checksum of its file is wrong')
}

function notOneFile(count: string): AppError {
  return new AppError('invalid_csv', `The ZIP archive must hold exactly one CSV file, but holds ${count}.`)
}

function damaged(why: string, cause?: unknown): AppError {
  return new AppError('invalid_csv', `The ZIP archive is damaged: ${why}.`, { cause })
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The file is larger than ${maxBytes} bytes.`, { context: { limit_bytes: maxBytes } })
}
