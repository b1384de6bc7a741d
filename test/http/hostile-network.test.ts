import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/facades/http/server.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { rawExchange } from './raw-exchange.ts'
import { serviceOver } from './recording-engine.ts'

const MRR = '/api/metrics/mrr'
const HOSTS = ['Plumbline.Example.com', '10.1.2.3', '::ffff:0:1']
const PAGES = 'https://app.example.com'

let server: RunningServer
beforeAll(async () => {
  const { app } = serviceOver({}, { hosts: HOSTS })
  server = await startServer(app, { host: '127.0.0.1', port: 0, graceMs: 200 })
})
afterAll(() => server.stop())

/** Status and code of the answer to a request whose first lines are these. */
async function answerTo(...lines: readonly string[]): Promise<string> {
  const answer = await rawExchange(server.url, `${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(/^content-type: application\/json/im)
  expect(head).toMatch(/^x-content-type-options: nosniff\r$/im)
  expect(head).toMatch(/^cache-control: /im)
  return [/^HTTP\/1.1 (\d+)/.exec(head)?.[1], /"code":"(\w+)"/.exec(body)?.[1]].filter((part) => part !== undefined).join(' ')
}

describe('the host that a request names', () => {
  it.each([
    ['localhost', '200'],
    ['LocalHost:8000', '200'],
    ['localhost.', '200'],
    ['127.0.0.1', '200'],
    ['127.8.9.10:1', '200'],
    ['[::1]', '200'],
    ['[::1]:8000', '200'],
    ['plumbline.example.com', '200'],
    ['PLUMBLINE.example.com.:443', '200'],
    ['10.1.2.3:8000', '200'],
    ['[::ffff:0:1]', '200'],
    ['evil.example', '403 forbidden_host'],
    ['localhost.evil.example', '403 forbidden_host'],
    ['evil.plumbline.example.com', '403 forbidden_host'],
    ['localhost..', '403 forbidden_host'],
    ['10.1.2.4', '403 forbidden_host'],
    ['[::2]', '403 forbidden_host'],
    ['0.0.0.0', '403 forbidden_host'],
    ['undefined', '403 forbidden_host'],
    ['evil@localhost', '400 invalid_value'],
    ['localhost/', '400 invalid_value'],
    ['localhost, evil.example', '400 invalid_value'],
    ['', '400 invalid_value'],
  ])('%s: %s', async (host, outcome) => {
    expect(await answerTo(`GET ${MRR} HTTP/1.1`, `host: ${host}`)).toBe(outcome)
  })

  it.each([
    [`http://evil.example${MRR}`, 'localhost', '403 forbidden_host'],
    [`http://localhost${MRR}`, 'evil.example', '403 forbidden_host'],
    [`http://localhost${MRR}`, 'localhost', '200'],
    [`http://localhost${MRR}`, 'a@localhost', '403 forbidden_host'],
  ])('of an absolute request line counts beside the header: %s, %s', async (target, host, outcome) => {
    expect(await answerTo(`GET ${target} HTTP/1.1`, `host: ${host}`)).toBe(outcome)
  })

  it('is needed', async () => {
    expect(await answerTo(`GET ${MRR} HTTP/1.1`)).toBe('400 invalid_value')
    expect(await answerTo(`GET ${MRR} HTTP/1.0`)).toBe('400 invalid_value')
    expect(await answerTo(`GET ${MRR} HTTP/1.1`, 'host: localhost', 'host: evil.example')).toBe('403 forbidden_host')
  })

  const { app, calls } = serviceOver({}, { hosts: HOSTS })

  it.each(['/', '/docs', '/openapi.json', '/nowhere', '/api/segments', '/healthz', '/readyz', '/metrics'])(
    'is judged for %s; the probes answer under any address, for no name leads a page there',
    async (path) => {
      const statusAt = async (host: string) => (await app.request(path, { headers: { host } })).status
      const isProbe = ['/healthz', '/readyz', '/metrics'].includes(path)
      expect(await statusAt('evil.example')).toBe(403)
      expect(await statusAt('172.17.0.2:8000')).toBe(isProbe ? 200 : 403)
      expect(await statusAt('[fd00::17]:8000')).toBe(isProbe ? 200 : 403)
      expect(calls).toEqual([])
    },
  )
})

describe('a write', () => {
  const COMES_FROM = [
    ['a program', {}, true],
    ['a page of the service', { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' }, true],
    ['a page of the service behind TLS', { origin: 'https://localhost:8000' }, true],
    ['a page of the service, without a word of its origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['the address line', { 'sec-fetch-site': 'none' }, true],
    ['a page that may call', { origin: PAGES, 'sec-fetch-site': 'cross-site' }, true],
    ['a page elsewhere', { origin: 'https://evil.example' }, false],
    ['a page elsewhere that says nothing of its origin', { 'sec-fetch-site': 'cross-site' }, false],
    ['a page beside', { 'sec-fetch-site': 'same-site' }, false],
    ['another port of this machine', { origin: 'http://localhost:3000' }, false],
    ['another name of this machine', { origin: 'http://127.0.0.1:8000' }, false],
    ['a page that hides its origin', { origin: 'null' }, false],
    ['no page at all', { origin: 'evil' }, false],
    ['an origin in another spelling', { origin: `${PAGES}/` }, false],
  ] as const
  const WRITES = [
    ['POST', '/api/segments'],
    ['PUT', '/api/segments/x'],
    ['DELETE', '/api/segments/x'],
    ['POST', '/api/notes'],
    ['PUT', '/api/notes/x'],
    ['DELETE', '/api/notes/x'],
    ['POST', '/api/goals'],
    ['PUT', '/api/goals/x'],
    ['DELETE', '/api/goals/x'],
    ['POST', '/api/goals/import'],
    ['POST', '/api/attributes'],
    ['PUT', '/api/attributes/x'],
    ['POST', '/api/attributes/import'],
    ['POST', '/api/customers/x/attributes'],
    ['DELETE', '/api/customers/x/attributes/y'],
    ['POST', '/api/segments/validate'],
    ['POST', MRR],
    ['POST', '/api/expenses/import'],
    ['POST', '/api/fx/rates/import'],
    ['POST', '/api/fx/fetch/ecb'],
    ['POST', '/api/sources'],
    ['DELETE', '/api/sources/x'],
    ['POST', '/api/sources/x/backfill'],
    ['POST', '/api/sources/x/dead-letters/retry'],
    ['DELETE', '/api/sources/x/dead-letters/y'],
    ['POST', '/api/keys'],
    ['DELETE', '/api/keys/x'],
    ['POST', '/api/dashboards'],
    ['PUT', '/api/dashboards/x'],
    ['DELETE', '/api/dashboards/x'],
    ['POST', '/api/dashboards/x/sections'],
    ['PUT', '/api/dashboards/x/sections/y'],
    ['DELETE', '/api/dashboards/x/sections/y'],
    ['POST', '/api/dashboards/x/charts'],
    ['PUT', '/api/dashboards/x/charts/y'],
    ['DELETE', '/api/dashboards/x/charts/y'],
    ['POST', '/api/charts'],
    ['PUT', '/api/charts/x'],
    ['DELETE', '/api/charts/x'],
    ['POST', '/api/links'],
    ['DELETE', '/api/links/x'],
    ['POST', '/api/billing-health/marks'],
    ['DELETE', '/api/billing-health/marks/x'],
    ['POST', '/api/deliveries'],
    ['PUT', '/api/deliveries/x'],
    ['DELETE', '/api/deliveries/x'],
    ['POST', '/api/deliveries/x/test'],
    ['POST', '/api/deliveries/x/preview'],
    ['POST', '/mcp'],
  ] as const
  /** Webhooks of platforms: judged by their signature, with any type and from anywhere. */
  const WEBHOOKS = ['POST', '/api/webhooks/x'] as const

  const service = serviceOver(takingEverything(), { corsOrigins: [PAGES] }).app
  const send = (path: string, init: RequestInit) =>
    service.request(`http://localhost:8000${path}`, { ...init, headers: { host: 'localhost:8000', ...init.headers } })

  it.each(COMES_FROM)('from %s: %o, let in: %s', async (_, from, isLetIn) => {
    for (const [method, path] of WRITES) {
      const type = path.endsWith('import') ? 'multipart/form-data; boundary=x' : 'application/json'
      const response = await send(path, { method, headers: { ...from, 'content-type': type } })
      const { code, reason } = (await response.json()) as { code?: string; reason?: string }
      if (isLetIn) expect([403, 415], `${method} ${path}`).not.toContain(response.status)
      else expect([response.status, code, reason], `${method} ${path}`).toEqual([403, 'forbidden', 'foreign_origin'])
    }
  })

  it.each([
    'text/plain',
    'text/plain; charset=application/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/json',
    'multipart/form-data; boundary=x',
    '',
    undefined,
  ])('with a body of type %s is refused wherever JSON is read, and nothing is done', async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    for (const [method, path] of WRITES) {
      if (method === 'DELETE' || path.endsWith('import')) continue
      const body = Buffer.from('{"name":"x","definition":{"root":{"op":"and","conditions":[]}}}')
      const response = await send(path, { method, headers, body })
      expect(response.status, `${method} ${path}`).toBe(415)
      expect(await response.json()).toMatchObject({ code: 'unsupported_media_type', available: ['application/json'] })
    }
    const upload = await send('/api/attributes/import', { method: 'POST', headers, body: Buffer.from('') })
    expect(upload.status).toBe(type?.startsWith('multipart') ? 422 : 415)
  })

  it.each(['application/json', 'Application/JSON ; charset=utf-8'])('is JSON when it says %s', async (type) => {
    expect((await send(MRR, { method: 'POST', headers: { 'content-type': type } })).status).toBe(200)
    expect((await send('/api/attributes/import', { method: 'POST', headers: { 'content-type': type } })).status).toBe(415)
  })

  it('is none where the path does not take it: the answer is that of the path', async () => {
    expect((await send('/api/nowhere', { method: 'POST' })).status).toBe(404)
    expect((await send('/api/customers', { method: 'POST' })).status).toBe(405)
    expect((await send('/api/metrics/summary', { method: 'POST' })).status).toBe(405)
  })

  it('is every operation of the document that is no GET', async () => {
    const document = (await (await send('/openapi.json', {})).json()) as { paths: Record<string, object> }
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'get')
        .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, 'x')}`),
    )
    const known = [...WRITES, WEBHOOKS].map(([method, path]) => `${method} ${path.replace(/\/(mrr|y)$/, '/x')}`)
    expect(operations.sort()).toEqual(known.sort())
  })
})

describe('every answer', () => {
  const { app } = serviceOver()

  it.each([
    ['GET', MRR, 'private, no-cache'],
    ['GET', '/api/metrics/summary', 'private, no-cache'],
    ['GET', '/api/customers', 'private, no-cache'],
    ['POST', MRR, 'no-store'],
    ['GET', '/api/metrics', 'no-store'],
    ['GET', '/api/metrics/mrr/fields', 'no-store'],
    ['GET', '/api/metrics/nope', 'no-store'],
    ['GET', '/api/nowhere', 'no-store'],
    ['PUT', MRR, 'no-store'],
    ['GET', '/api/customers?limit=x&limit=y', 'private, no-cache'],
    ['GET', '/healthz', 'no-store'],
    ['GET', '/metrics', 'no-store'],
    ['GET', '/openapi.json', 'no-store'],
    ['GET', '/docs', 'no-store'],
    ['GET', '/docs/assets/swagger-ui.css', 'public, max-age=3600'],
  ])('%s %s is not sniffed, framed, embedded or referred from, and cached as %s', async (method, path, cacheControl) => {
    const { headers } = await app.request(path, { method, headers: JSON_BODY })
    expect(headers.get('cache-control')).toBe(cacheControl)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('an error of an endpoint that may be cached is not', async () => {
    const broken = serviceOver({ query: () => Promise.reject(new Error('broken')) }).app
    expect((await broken.request(MRR)).headers.get('cache-control')).toBe('no-store')
    const etag = (await app.request(MRR)).headers.get('etag') ?? ''
    const unchanged = await app.request(MRR, { headers: { 'if-none-match': etag } })
    expect([unchanged.status, unchanged.headers.get('cache-control')]).toEqual([304, 'private, no-cache'])
  })
})

/** Stored resources that take everything and remember nothing: whether a write is let in is all that is asked. */
function takingEverything() {
  const taking = new Proxy({}, { get: () => () => Promise.resolve({ isNew: true, attribute: {} }) })
  const owned = () => taking
  return {
    segments: taking,
    attributes: taking,
    dashboards: owned,
    charts: owned,
    links: taking,
    validateSegment: () => Promise.resolve({}),
  } as never
}
