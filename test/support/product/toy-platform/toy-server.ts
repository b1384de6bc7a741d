import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A record of the toy platform; the last version is what it is now. */
export interface ToyRecord {
  readonly entity: 'Vendor' | 'Bill'
  readonly id: string
  /** Counts up; the platform's idea of when it was changed. */
  readonly version: number
  readonly amount?: number
  readonly isGone?: boolean
}

/** A small accounting platform that is a real HTTP server: tokens that rotate, records in pages, changes, single records. */
export interface ToyServer {
  readonly url: string
  readonly secret: string
  put(record: Omit<ToyRecord, 'version'>): ToyRecord
  records(): readonly ToyRecord[]
  /** Handles requests of this kind instead of an answer, until undefined ends it. */
  intercept(
    path: string,
    handler: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | undefined,
  ): void
  /** Requests so far, by the first part of the path. */
  readonly asked: ReadonlyMap<string, number>
  /** How often tokens were renewed. */
  renewals(): number
  /** Makes the access token invalid, and the refresh token too where `all`. */
  expire(all?: boolean): void
  /** How many changes it lists at most. */
  listAtMost(count: number): void
  sign(body: string): string
  close(): Promise<void>
}

export const TOY_SECRET = 'toy webhook secret'
const PAGE = 10

/** Starts the platform on a free port of this machine. */
export async function startToyServer(): Promise<ToyServer> {
  const records = new Map<string, ToyRecord>()
  const asked = new Map<string, number>()
  const intercepted = new Map<string, (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>>()
  const codes = new Set<string>()
  let tokens = { access: '', refresh: '' }
  let version = 0
  let renewals = 0
  let most = 1_000

  const nameOf = ({ entity, id }: Pick<ToyRecord, 'entity' | 'id'>) => `${entity}/${id}`
  const issue = () => {
    tokens = { access: `a-${randomUUID()}`, refresh: `r-${randomUUID()}` }
    return tokens
  }
  const answer = (response: ServerResponse, status: number, body: unknown): ServerResponse =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const answerTo = (request: IncomingMessage, response: ServerResponse, url: URL): ServerResponse => {
    const [, first = '', ...rest] = url.pathname.split('/')
    const query = url.searchParams
    if (first === 'authorize') {
      const code = randomUUID()
      codes.add(code)
      const back = new URL(query.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: query.get('state') ?? '', company: '7' }).toString()
      return response.writeHead(302, { location: back.href }).end()
    }
    if (first === 'token') {
      const isKnown = codes.delete(query.get('code') ?? '') || query.get('refresh') === tokens.refresh
      if (!isKnown) return answer(response, 400, { error: 'invalid_grant' })
      renewals += 1
      return answer(response, 200, issue())
    }
    if (first === 'revoke') return answer(response, 200, {})
    if (request.headers.authorization !== `Bearer ${tokens.access}`) return answer(response, 401, {})
    const all = [...records.values()]
    if (first === 'pages') {
      const from = Number(query.get('from'))
      return answer(response, 200, { records: all.slice(from, from + PAGE), next: from + PAGE < all.length ? from + PAGE : null })
    }
    if (first === 'changes') {
      const since = Number(query.get('since'))
      const changed = all.filter((record) => record.version > since)
      return answer(response, 200, { records: changed.slice(0, most), isComplete: changed.length <= most })
    }
    const found = records.get(rest.join('/'))
    return found === undefined ? answer(response, 404, {}) : answer(response, 200, found)
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://toy')
    const first = url.pathname.split('/')[1] ?? ''
    asked.set(first, (asked.get(first) ?? 0) + 1)
    request.resume()
    const handler = intercepted.get(first)
    if (handler !== undefined && (await handler(request, response))) return
    answerTo(request, response, url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    secret: TOY_SECRET,
    put(record) {
      version += 1
      const put = { ...record, version }
      records.set(nameOf(record), put)
      return put
    },
    records: () => [...records.values()],
    intercept(path, handler) {
      if (handler === undefined) intercepted.delete(path)
      else intercepted.set(path, handler)
    },
    asked,
    renewals: () => renewals,
    expire(all = false) {
      tokens = { access: 'expired', refresh: all ? 'expired' : tokens.refresh }
    },
    listAtMost(count) {
      most = count
    },
    sign: (body) => createHmac('sha256', TOY_SECRET).update(body).digest('hex'),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
