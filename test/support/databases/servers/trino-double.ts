import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the double got. */
export interface DoubledRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

type Reply = (response: ServerResponse, request: DoubledRequest, origin: string) => void

/** The replies of a double by kind of request. A GET gets those of the list in turn, and the last one for ever. */
export interface Script {
  readonly info?: Reply
  readonly post?: Reply
  readonly gets?: readonly Reply[]
  readonly stop?: Reply
}

export interface TrinoDouble {
  readonly url: string
  readonly origin: string
  readonly seen: DoubledRequest[]
  /** The methods of the requests for queries. */
  methods(): readonly string[]
  /** Plays another script, and forgets what it has seen. */
  play(script: Script): void
  close(): Promise<void>
}

/** Replies with JSON as Trino writes it. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** Replies with a part of an answer, and the address of the next part unless it is the last. */
export function part(fields: Readonly<Record<string, unknown>>, next: string | null = '/v1/statement/executing/q1/s/1'): Reply {
  return (response, request, origin) => {
    const nextUri = next === null ? {} : { nextUri: next.startsWith('/') ? `${origin}${next}` : next }
    json({ id: 'q1', stats: { state: 'RUNNING' }, ...fields, ...nextUri })(response, request, origin)
  }
}

/** Replies with the failure of a query. */
export function failure(errorName: string, message = 'no reason', errorType = 'USER_ERROR'): Reply {
  return part({ error: { errorName, errorType, message, errorCode: 1 } }, null)
}

/** Never replies. */
export const silence: Reply = () => {}

/** A server that speaks the statement protocol by a script, however hostile. */
export async function startTrinoDouble(): Promise<TrinoDouble> {
  const seen: DoubledRequest[] = []
  let script: Script = {}
  let gets = 0
  let origin = ''
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request
      const got = { method, path: url, headers, body }
      seen.push(got)
      replyTo(got)(response, got, origin)
    })
  })
  const replyTo = ({ method, path }: DoubledRequest): Reply => {
    if (path === '/v1/info') return script.info ?? json({ nodeVersion: { version: '476' }, starting: false })
    if (method === 'POST') return script.post ?? part({})
    if (method === 'DELETE') return script.stop ?? json('', 204)
    const replies = script.gets ?? []
    const reply = replies[Math.min(gets, replies.length - 1)]
    gets += 1
    return reply ?? part({ columns: [{ name: 'n', type: 'varchar' }], data: [['a']] }, null)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  return {
    url: `trino://reader@127.0.0.1:${port}/lake/billing`,
    origin,
    seen,
    methods: () => seen.filter(({ path }) => path !== '/v1/info').map(({ method }) => method),
    play(next) {
      script = next
      gets = 0
      seen.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) parts.push(piece)
  return Buffer.concat(parts).toString('utf8')
}
