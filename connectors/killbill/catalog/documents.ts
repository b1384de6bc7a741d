import { readFile } from 'node:fs/promises'
import { AppError } from '../../../src/core/errors.ts'
import { redact } from '../../../src/core/redact.ts'
import type { CatalogVersion } from './catalog-version.ts'
import { parseOnce } from './document-cache.ts'

const FETCH_MS = 10_000
const MAX_BYTES = 20_000_000

/**
 * Versions from XML files and http(s) addresses, in their order (KB 3.9). AppError `connector_unavailable` where one cannot be
 * fetched, `unsupported_by_connector` where it is no catalog; both name the document, without its password.
 */
export async function readCatalogDocuments(places: readonly string[]): Promise<CatalogVersion[]> {
  const texts = await Promise.all(places.map(async (place) => ({ place, text: await readDocument(place) })))
  return texts.flatMap(({ place, text }) => {
    try {
      return parseOnce(text)
    } catch (error) {
      throw documentError('unsupported_by_connector', place, 'is not a readable catalog', error)
    }
  })
}

async function readDocument(place: string): Promise<string> {
  try {
    return /^https?:\/\//.test(place) ? await fetchText(new URL(place)) : await readFile(place, 'utf8')
  } catch (error) {
    throw documentError('connector_unavailable', place, 'cannot be read', error)
  }
}

async function fetchText(address: URL): Promise<string> {
  const { username, password } = address
  address.username = ''
  address.password = ''
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const response = await fetch(address, {
    headers: { accept: 'application/xml, text/xml', ...(username === '' ? {} : { authorization: `Basic ${login}` }) },
    signal: AbortSignal.timeout(FETCH_MS),
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const text = await response.text()
  if (text.length > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`)
  return text
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
