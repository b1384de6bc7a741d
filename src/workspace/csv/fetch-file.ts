import { AppError } from '../../core/errors.ts'
import { fetchFrom, RefusedRedirect } from '../../core/fetch-from.ts'

const TIMEOUT_MS = 60_000

/**
 * Downloads the file at an address completely before it is read, so that no writer waits for the server. AppError
 * `connector_unavailable` names the host if it cannot be reached, refuses, redirects elsewhere, breaks off or takes longer than a minute.
 * `payload_too_large` if the file exceeds `maxBytes`. Rejects with the signal's reason if aborted.
 */
export async function fetchFile(address: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const { host } = new URL(address)
  const failed = (reason: string, cause?: unknown) =>
    new AppError('connector_unavailable', `The file cannot be fetched from ${host}: ${reason}.`, { cause })
  try {
    const response = await fetchFrom(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
    if (!response.ok) throw failed(`it answers with status ${response.status}`)
    return await gathered(response.body ?? [], maxBytes)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof AppError ? error : failed(reasonOf(error), error)
  }
}

async function gathered(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const held: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.byteLength
    if (size > maxBytes) {
      throw new AppError('payload_too_large', `The file is larger than ${maxBytes} bytes.`, {
        context: { limit_bytes: maxBytes },
      })
    }
    held.push(piece)
  }
  return Buffer.concat(held)
}

// Does not quote the error, because its text may contain the address with its secrets.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error instanceof RefusedRedirect) return error.message
  if (error.name === 'TimeoutError') return `it takes longer than ${TIMEOUT_MS / 1000} s`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}
