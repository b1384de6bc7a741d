import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { redact } from '../../../src/core/addresses.ts'
import { withinLimit } from '../../../src/core/async.ts'
import { AppError } from '../../../src/core/errors.ts'
import { fetchFrom } from '../../../src/core/fetch-from.ts'
import type { CatalogVersion } from './catalog-version.ts'
import { keyOfText, parseOnce } from './document-cache.ts'

/** Longest time to read a document, milliseconds. A server, or the disk of a file, may not answer. */
const READ_MS = 10_000
const MAX_BYTES = 50_000_000

/**
 * Versions from XML files and http(s) addresses, in their order (KB 3.9). AppError `connector_unavailable` if one cannot be fetched,
 * `unsupported_by_connector` if it is no catalog. Both name the document, without its password.
 */
export async function readCatalogDocuments(places: readonly string[]): Promise<CatalogVersion[]> {
  const texts = await Promise.all(places.map(async (place) => ({ place, text: await readDocument(place) })))
  const read = await parseOnce(texts.map(({ text }) => ({ key: keyOfText(text), text })))
  return read.flatMap((result, index) => {
    if (!(result instanceof Error)) return result
    throw documentError('unsupported_by_connector', texts[index]?.place ?? '', 'is not a readable catalog', result)
  })
}

async function readDocument(place: string): Promise<string> {
  try {
    const pieces = /^https?:\/\//.test(place) ? fetchPieces(place) : filePieces(place)
    const text = pieces.then((found) => textWithin(found, MAX_BYTES))
    return await withinLimit(text, READ_MS, () => new Error(`it takes longer than ${READ_MS / 1_000} s`))
  } catch (error) {
    throw documentError('connector_unavailable', place, 'cannot be read', error)
  }
}

// A pipe has no end, and each round would hold another thread of the process.
async function filePieces(path: string): Promise<AsyncIterable<Uint8Array>> {
  if (!(await stat(path)).isFile()) throw new Error('it is no file')
  return createReadStream(path)
}

async function fetchPieces(address: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetchFrom(address, { accept: 'application/xml, text/xml', signal: AbortSignal.timeout(READ_MS) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  return (response.body ?? []) as AsyncIterable<Uint8Array>
}

/** Reads the whole text. If the text becomes too large, the loop stops, which ends the transfer. */
async function textWithin(pieces: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.byteLength
    if (bytes > most) throw new Error(`larger than ${most} bytes`)
    read.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(read))
}

function documentError(
  code: 'connector_unavailable' | 'unsupported_by_connector',
  place: string,
  problem: string,
  cause: unknown,
): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError(code, `connector.catalog: ${redact(place)} ${problem}: ${reason}`, {
    context: { document: redact(place) },
    cause,
  })
}
