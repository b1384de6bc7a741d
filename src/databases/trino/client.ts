import { parse } from 'lossless-json'
import type { StatementCost } from '../../compiler/statement.ts'
import { unlessAborted, withinLimit } from '../../core/async.ts'
import { isObject } from '../../core/json.ts'
import { TrinoFailure } from './errors.ts'
import type { Transport } from './transport.ts'

/** A column of an answer, with Trino's text of its type: `decimal(38,12)`. */
export interface TrinoColumn {
  readonly name: string
  readonly type: string
}

/** A part of an answer. Numbers of many digits are text. */
export interface TrinoPart {
  readonly columns: readonly TrinoColumn[]
  readonly rows: readonly (readonly unknown[])[]
}

export interface TrinoClientOptions {
  readonly transport: Transport
  /** `https://trino.example.com:443`. */
  readonly origin: string
  /** Another origin under which the coordinator knows itself, behind a proxy. Its answers still come from `origin`. */
  readonly nextUriOrigin: string | undefined
  /** The headers of a login, read for each query. */
  readonly login: () => Promise<Readonly<Record<string, string>>>
}

/** A query that runs on the server from the first part that is read. */
export interface TrinoQuery {
  /** The parts of the answer. May be called once. */
  parts(): AsyncGenerator<TrinoPart>
  /** The work of the query, as the last answer reports it. Undefined if an answer reports none. */
  cost(): StatementCost | undefined
  /** Ends the query, unless it has ended. Every reader calls it when it leaves. Resolves once the server knows, or cannot be reached. */
  stop(): Promise<void>
}

export interface TrinoClient {
  /** The server's version. Fails if it does not answer or is still starting. Undefined if a proxy keeps it to itself. */
  version(signal: AbortSignal): Promise<string | undefined>
  query(text: string, headers: Readonly<Record<string, string>>): TrinoQuery
}

/** A server that does not answer a query is given up this long after its caller has left, milliseconds. */
const LINGER_MS = 5_000
/** Longest time to read a login, milliseconds. A file on a lost disk can block without end. */
const LOGIN_MS = 5_000
/** The size of a part at which the server aims. Reading one blocks the process. */
const PART_SIZE = '1MB'

/** The client of Trino's statement protocol: one POST, then a GET for each further part, and a DELETE to stop. */
export function createTrinoClient({ transport, origin, nextUriOrigin, login }: TrinoClientOptions): TrinoClient {
  const next = (uri: unknown): URL | undefined => (uri === undefined ? undefined : nextUrl(uri, origin, nextUriOrigin))
  const loginInTime = () => withinLimit(login(), LOGIN_MS, () => new TrinoFailure('TOKEN_FILE', 'the login was not read in time'))

  const query: TrinoClient['query'] = (text, own) => {
    const left = new AbortController()
    let headers: Readonly<Record<string, string>> = own
    let current: URL | undefined
    let stopped: Promise<void> | undefined
    let posted: Promise<unknown> = Promise.resolve()
    let cost: StatementCost | undefined

    const end = async (): Promise<void> => {
      // The server runs a query from its POST on, and names in the answer how to stop it.
      await withinLimit(posted, LOGIN_MS + LINGER_MS, () => notTrino('no answer in time')).catch(() => {})
      const url = current
      current = undefined
      if (url !== undefined) await transport.stop(url, headers)
    }
    const stop = (): Promise<void> => {
      left.abort()
      stopped ??= end()
      return stopped
    }
    const post = async (): Promise<Answer> => {
      headers = { ...own, ...(await loginInTime()) }
      left.signal.throwIfAborted()
      const url = new URL('/v1/statement', origin)
      const signal = lingering(left.signal)
      return take(await transport.ask({ method: 'POST', url, headers, body: text, signal }))
    }
    const take = (body: string): Answer => {
      const fields = objectIn(body)
      // A query whose answer is refused still runs, and is stopped.
      current = fields['nextUri'] === undefined ? undefined : (pathAt(fields['nextUri'], origin) ?? current)
      cost = costIn(fields['stats'])
      const answer = answerIn(fields)
      current = next(answer.nextUri)
      return answer
    }
    async function* parts(): AsyncGenerator<TrinoPart> {
      const first = post()
      posted = first.catch(() => {})
      let answer = await unlessAborted(first, left.signal)
      for (;;) {
        if (answer.failure !== undefined) throw answer.failure
        if (answer.part !== undefined) yield answer.part
        if (current === undefined) return
        const url = new URL(current)
        url.searchParams.set('targetResultSize', PART_SIZE)
        answer = take(await transport.ask({ method: 'GET', url, headers, signal: left.signal }).catch(forgotten))
      }
    }
    return { parts, cost: () => cost, stop }
  }

  return {
    async version(signal) {
      const url = new URL('/v1/info', origin)
      const body = await transport.ask({ method: 'GET', url, headers: await loginInTime(), signal }).catch(unlessHidden)
      if (body === undefined) return undefined
      const info = objectIn(body)
      if (info['starting'] === true) throw new TrinoFailure('SERVER_STARTING_UP', 'the server is starting')
      const { nodeVersion } = info
      return isObject(nodeVersion) && typeof nodeVersion['version'] === 'string' ? nodeVersion['version'] : undefined
    },
    query,
  }
}

interface Answer {
  readonly nextUri: unknown
  readonly failure: TrinoFailure | undefined
  readonly part: TrinoPart | undefined
}

function answerIn({ id, nextUri, error, columns, data }: Readonly<Record<string, unknown>>): Answer {
  const failure = isObject(error) ? failureOf(error, id) : undefined
  return { nextUri, failure, part: data === undefined || data === null ? undefined : partOf(columns, data) }
}

function costIn(stats: unknown): StatementCost | undefined {
  if (!isObject(stats)) return undefined
  const [bytes_read, rows_read, cpu_ms, peak_memory_bytes] = COSTS.map((name) => Number(stats[name] ?? Number.NaN))
  const cost = { bytes_read, rows_read, cpu_ms, peak_memory_bytes }
  return isWhole(cost) ? cost : undefined
}

const COSTS = ['physicalInputBytes', 'processedRows', 'cpuTimeMillis', 'peakMemoryBytes'] as const

function isWhole(cost: { readonly [K in keyof StatementCost]: number | undefined }): cost is StatementCost {
  return Object.values(cost).every(Number.isSafeInteger)
}

function objectIn(body: string): Readonly<Record<string, unknown>> {
  let read: unknown
  try {
    read = exactJson(body)
  } catch {
    read = undefined
  }
  if (!isObject(read)) throw notTrino('the answer is no JSON object')
  return read
}

/** Sixteen digits in a row may be a number that a double cannot hold. Its library reads all numbers as text, ten times slower. */
function exactJson(body: string): unknown {
  return /\d{16}/.test(body) ? parse(body, undefined, { parseNumber: (text) => text }) : JSON.parse(body)
}

function failureOf({ errorName, errorType, message }: Readonly<Record<string, unknown>>, id: unknown): TrinoFailure {
  // Both reach logs and messages, so text of another form is dropped.
  return new TrinoFailure(matching(errorName, ERROR_NAME) ?? 'UNKNOWN', typeof message === 'string' ? message : 'no message', {
    queryId: matching(id, QUERY_ID),
    isOfQuery: true,
    isExternal: errorType === 'EXTERNAL',
  })
}

function partOf(columns: unknown, data: unknown): TrinoPart {
  const isTable =
    Array.isArray(columns) && Array.isArray(data) && data.every((row) => Array.isArray(row) && row.length === columns.length)
  if (!isTable) throw notTrino('the rows of the answer have another form')
  return { columns: columns.map(columnOf), rows: data }
}

function columnOf(column: unknown): TrinoColumn {
  if (isObject(column) && typeof column['name'] === 'string' && typeof column['type'] === 'string')
    return { name: column['name'], type: column['type'] }
  throw notTrino('a column of the answer has no name or type')
}

const ERROR_NAME = /^[A-Z0-9_]{1,64}$/
const QUERY_ID = /^\w{1,64}$/

function matching(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined
}

/** The address of the next part, always at our origin: no login goes anywhere else. */
function nextUrl(uri: unknown, origin: string, otherOrigin: string | undefined): URL {
  const url = pathAt(uri, origin)
  if (url === undefined) throw notTrino('the address of the next part is malformed')
  const given = new URL(String(uri)).origin
  if (given !== origin && given !== otherOrigin) throw new TrinoFailure('OTHER_ORIGIN', 'the next part lies at another origin')
  return url
}

/** The path and the parameters of an address of HTTP, at our origin. Undefined for any other address. */
function pathAt(uri: unknown, origin: string): URL | undefined {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return undefined
  const { protocol, pathname, search } = new URL(uri)
  // Two slashes would begin the name of a host if the path was read as an address.
  if (!/^https?:$/.test(protocol) || pathname.startsWith('//')) return undefined
  const url = new URL(origin)
  url.pathname = pathname
  url.search = search
  return url.origin === origin ? url : undefined
}

/** A coordinator that was restarted does not know the query any more. */
function forgotten(error: unknown): never {
  const isForgotten = error instanceof TrinoFailure && (error.code === 'HTTP_404' || error.code === 'HTTP_410')
  throw isForgotten ? new TrinoFailure('QUERY_FORGOTTEN', 'the server does not know its query any more') : error
}

/** A proxy may forbid the path of the version. The first query tells whether the login is wrong. */
function unlessHidden(error: unknown): undefined {
  if (error instanceof TrinoFailure && /^HTTP_4\d\d$/.test(error.code) && error.code !== 'HTTP_429') return undefined
  throw error
}

/** Fires some time after another signal, so that a request whose answer is needed to stop the query can end. */
function lingering(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = () => setTimeout(() => late.abort(), LINGER_MS).unref()
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return late.signal
}

function notTrino(text: string): TrinoFailure {
  return new TrinoFailure('NOT_TRINO', text)
}
