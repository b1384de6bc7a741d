import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { AppError } from '../../core/errors.ts'
import { errorBody } from '../presentation/error-body.ts'
import { renderJson } from '../presentation/render.ts'
import { closeLingering } from './lingering-close.ts'
import { SAFE_HEADERS } from './response-headers.ts'

/** Most bytes of the request line and headers: enough for a query with many filters. */
export const MAX_HEADER_BYTES = 65_536

interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response to a request that cannot be passed to the app, such as one with an invalid Host header. */
export function malformedResponse(): Response {
  const { status, headers, body } = refusal(undefined)
  return new Response(body, { status, headers })
}

/** Answers invalid HTTP requests and too large headers, and closes the connection. Too slow requests get no response. */
export function refuseConnection(error: { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.destroy()
    return
  }
  const { status, headers, body } = refusal(error.code)
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' })
  socket.write(`HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  closeLingering(socket)
}

function refusal(code: string | undefined): Refusal {
  const requestId = randomUUID()
  const { status, body } = errorBody(errorFor(code), requestId, (where) => where)
  return {
    status,
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json', 'x-request-id': requestId },
    body: renderJson(body),
  }
}

function errorFor(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const detail = `The URL and the headers together are larger than ${MAX_HEADER_BYTES} bytes. For longer queries, use POST.`
    return new AppError('payload_too_large', detail, { context: { limit_bytes: MAX_HEADER_BYTES } })
  }
  const message = 'This is not a well-formed HTTP request.'
  return new AppError('invalid_value', message, {
    issues: [{ code: 'invalid_value', where: 'request', message, did_you_mean: [] }],
  })
}
