import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TlsOptions } from '../addresses/tls-options.ts'
import { driverCode } from '../failures.ts'
import { TrinoFailure } from './errors.ts'

/** Largest body of one answer, bytes. Trino aims at the size that a request names, and exceeds it only by one row. */
const MOST_BYTES = 64 * 1024 * 1024
/** A server that still asks for patience after this time counts as unavailable, milliseconds. */
const PATIENCE_MS = 5_000
/** Longest time of a request to stop a query, milliseconds. */
const STOP_MS = 5_000
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [50, 1_000]
/** Statuses after which the protocol demands the same request again. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Losses of a connection. The server may have gone, or may just have closed a connection that was idle. */
const LOSSES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE'])

export interface TransportOptions {
  /** Requests for another origin are refused, so that no login goes there. */
  readonly origin: string
  /** Undefined for plain HTTP. `checksName`: the certificate must name the host. */
  readonly tls: (TlsOptions & { readonly checksName: boolean }) | undefined
  readonly connectTimeoutMs: number
  readonly idleConnections: number
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

interface Reply {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly body: string
}

/** HTTP to one coordinator. It follows no redirect, because a login must not reach another server. */
export interface Transport {
  /** The body of an answer with status 200. Repeats the request as the protocol demands. TrinoFailure, or the error of the connection. */
  ask(request: Request): Promise<string>
  /** Asks the server to end a query. Never rejects. */
  stop(url: URL, headers: Request['headers']): Promise<void>
  close(): void
}

export function createTransport({ origin, tls, connectTimeoutMs, idleConnections }: TransportOptions): Transport {
  const kept = { keepAlive: true, maxFreeSockets: idleConnections, timeout: 30_000 }
  const agent = tls === undefined ? new http.Agent(kept) : new https.Agent({ ...kept, ...secure(tls) })
  const send = async (request: Request): Promise<Reply> => {
    if (request.url.origin !== origin) throw new TrinoFailure('OTHER_ORIGIN', 'a request would go to another origin')
    return exchange(agent, tls !== undefined, connectTimeoutMs, request)
  }

  /** A lost request for the next part of an answer may be sent again: the server keeps the part until the one after it is asked for. */
  const sendAgain = (request: Request): Promise<Reply> =>
    send(request).catch((error: unknown) => {
      if (request.method === 'GET' && isLoss(error) && !request.signal.aborted) return send(request)
      throw error
    })

  return {
    async ask(request) {
      const began = performance.now()
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        const { status, retryAfter, body } = await sendAgain(request)
        if (status === 200) return body
        const pauseMs = retryAfter === undefined ? wait : retryAfter * 1_000
        const isPatient = performance.now() - began + pauseMs <= PATIENCE_MS
        if (!AGAIN.has(status) || !isPatient) throw statusFailure(status, retryAfter)
        await sleep(pauseMs, undefined, { signal: request.signal })
      }
    },
    async stop(url, headers) {
      const signal = AbortSignal.timeout(STOP_MS)
      await send({ method: 'DELETE', url, headers, signal }).catch(() => {})
    },
    close: () => agent.destroy(),
  }
}

/** True if the connection was lost, so that nothing is known about the fate of the request. */
export function isLoss(error: unknown): boolean {
  return LOSSES.has(driverCode(error) ?? '')
}

function secure({ checksName, ...options }: TlsOptions & { readonly checksName: boolean }): https.AgentOptions {
  return checksName || !options.rejectUnauthorized ? options : { ...options, checkServerIdentity: () => undefined }
}

function statusFailure(status: number, retryAfter: number | undefined): TrinoFailure {
  if (status >= 300 && status < 400) return new TrinoFailure('REDIRECTED', `the server redirects (${status})`)
  return new TrinoFailure(`HTTP_${status}`, `the server answered with status ${status}`, { retryAfter })
}

/** Sends one request and reads its whole answer. */
function exchange(agent: http.Agent, isSecure: boolean, connectTimeoutMs: number, request: Request): Promise<Reply> {
  const { method, url, headers, body, signal } = request
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const send = isSecure ? https.request : http.request
    const sent = send(url, { agent, method, headers: { ...headers, ...length }, signal })
    sent.on('socket', (socket) => {
      if (!socket.connecting) return
      const overdue = () => sent.destroy(new TrinoFailure('ETIMEDOUT', 'the server did not accept the connection in time'))
      const timer = setTimeout(overdue, connectTimeoutMs)
      for (const event of [isSecure ? 'secureConnect' : 'connect', 'close']) socket.once(event, () => clearTimeout(timer))
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      bodyOf(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, retryAfter: secondsIn(response.headers['retry-after']), body: text })
      }, reject)
    })
    sent.end(body)
  })
}

async function bodyOf(response: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    // Leaving the loop closes the connection.
    if (size > MOST_BYTES) throw new TrinoFailure('ANSWER_TOO_LARGE', `an answer is larger than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function secondsIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}
