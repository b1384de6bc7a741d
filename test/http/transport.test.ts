import { describe, expect, it } from 'vitest'
import { AppError, ERROR_CODES, type ErrorCode, InternalError } from '../../src/core/errors.ts'
import { describedPart } from '../support/product/described-part.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { META, serviceOver } from './recording-engine.ts'

const FRIEND = 'https://app.example.com'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ROWS = { data: [{ plan_id: '=a', mrr: 1 }], kind: 'rows' as const, columns: ['plan_id', 'mrr'], meta: META }
const MRR = '/api/metrics/mrr'

interface ReadinessSchema {
  readonly properties: {
    readonly checks: {
      readonly properties: { readonly cache: { readonly properties: object; readonly required: readonly string[] } }
    }
  }
}

describe('headers', () => {
  it.each([
    MRR,
    '/healthz',
    '/readyz',
    '/docs',
    '/redoc',
    '/',
    '/openapi.json',
    '/nowhere',
    '/api/metrics',
    '/docs/assets/none.js',
  ])('%s carries a request id', async (path) => {
    const { app } = serviceOver()
    expect((await app.request(path)).headers.get('x-request-id')).toMatch(UUID)
    expect((await app.request(path, { headers: { 'x-request-id': 'Az09._-' } })).headers.get('x-request-id')).toBe('Az09._-')
  })

  it.each(['a'.repeat(65), 'a b', 'ä', 'a=b', 'a\tb'])('a malformed request id is replaced: %s', async (id) => {
    const headers = new Headers()
    headers.set('x-request-id', Buffer.from(id).toString('latin1'))
    expect((await serviceOver().app.request(MRR, { headers })).headers.get('x-request-id')).toMatch(UUID)
  })

  it('answers say through when, by which definitions and with which warnings', async () => {
    const warnings = [
      { code: 'future_clamped' as const, message: 'a' },
      { code: 'unused_parameter' as const, message: 'b' },
      { code: 'future_clamped' as const, message: 'c' },
    ]
    const { app } = serviceOver({ query: () => Promise.resolve({ ...ROWS, meta: { ...META, warnings } }) })
    const { headers } = await app.request(MRR)
    expect(headers.get('x-data-through')).toBe('2025-05-31T12:00:00.000Z')
    expect(headers.get('x-definitions')).toBe('0123456789ab')
    expect(headers.get('x-warnings')).toBe('future_clamped,unused_parameter')
    expect(JSON.parse(headers.get('x-warning-details') ?? '')).toEqual(warnings)
    expect((await serviceOver().app.request(MRR)).headers.has('x-warnings')).toBe(false)
  })

  it('the text of a warning is in a header, whatever its characters and length', async () => {
    const warnings = Array.from({ length: 9 }, (_, place) => ({
      code: 'unpriced_plan' as const,
      message: `für „東京“\n\u007f ${'x'.repeat(place * 1_000)}`,
      count: place,
    }))
    const { app } = serviceOver({ query: () => Promise.resolve({ ...ROWS, meta: { ...META, warnings } }) })
    const { headers } = await app.request(MRR)
    const text = headers.get('x-warning-details') ?? ''
    expect(text).toMatch(/^[ -~]*$/)
    expect(text.length).toBeLessThan(4_000)
    const told = JSON.parse(text) as typeof warnings
    expect(told.map(({ count }) => count)).toEqual([0, 1, 2, 3, 4])
    expect(told[0]).toEqual(warnings[0])
    expect(told[1]?.message).toBe(`${warnings[1]?.message.slice(0, 600)}…`)
  })

  it('an unchanged answer lets a listed origin read it, with a copy of any client', async () => {
    const { app } = serviceOver({}, { corsOrigins: [FRIEND] })
    const etag = (await app.request(MRR)).headers.get('etag') ?? ''
    const again = await app.request(MRR, { headers: { origin: FRIEND, 'if-none-match': etag } })
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, FRIEND])
    expect(again.headers.get('access-control-expose-headers')).toContain('x-definitions')
  })

  it('an unchanged answer is 304 without a body, with the headers of the answer', async () => {
    const { app } = serviceOver()
    const first = await app.request(MRR)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await app.request(MRR, { headers: { 'if-none-match': given } })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('x-data-through')).toBe(META.data_through)
      expect(again.headers.get('x-request-id')).toMatch(UUID)
    }
    expect((await app.request(MRR, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
    expect((await app.request(`${MRR}?format=csv`)).headers.get('etag')).not.toBe(etag)
    expect((await app.request(MRR, { method: 'POST', headers: JSON_BODY, body: '{}' })).headers.has('etag')).toBe(false)
    expect((await app.request('/nowhere')).headers.has('etag')).toBe(false)
  })

  it.each(['invalid_range', 'query_timeout', 'replica_lagging', 'connector_unavailable', 'internal'] as const)(
    'an error is kept by nobody and never unchanged: %s',
    async (code) => {
      const { app } = serviceOver({ query: () => Promise.reject(new AppError(code, 'Why.')) })
      for (const headers of [{}, { 'if-none-match': '*' }]) {
        const response = await app.request(MRR, { headers })
        expect(response.status).toBe(ERROR_CODES[code].status)
        expect(response.headers.get('cache-control') ?? 'no-store').toBe('no-store')
        for (const name of ['etag', 'x-data-through', 'x-definitions', 'x-warnings', 'x-warning-details'])
          expect(response.headers.has(name), name).toBe(false)
      }
    },
  )

  it('HEAD answers like GET without a body', async () => {
    const response = await serviceOver().app.request(MRR, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect(response.headers.get('etag')).not.toBeNull()
    expect((await serviceOver().app.request('/nowhere', { method: 'HEAD' })).status).toBe(404)
  })
})

describe('format', () => {
  it.each([
    ['', {}, 'application/json'],
    ['?format=csv', {}, 'text/csv; charset=utf-8'],
    ['', { accept: 'text/csv' }, 'text/csv; charset=utf-8'],
    ['?format=json', { accept: 'text/csv' }, 'application/json'],
    ['', { accept: '*/*' }, 'application/json'],
    ['', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, 'application/json'],
    ['', { accept: 'text/csv;q=0.5, application/json' }, 'application/json'],
    ['', { accept: ';;;,,q=' }, 'application/json'],
  ])('%s %o', async (query, headers, type) => {
    const { app } = serviceOver({ query: () => Promise.resolve(ROWS) })
    const response = await app.request(MRR + query, { headers: { ...headers } })
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toBe(type.startsWith('text') ? "plan_id,mrr\r\n'=a,1\r\n" : '[{"plan_id":"=a","mrr":1}]')
  })

  it('errors stay JSON', async () => {
    const { app } = serviceOver({
      query: () => Promise.reject(new AppError('invalid_range', 'No.', { context: { missing: ['start'] } })),
    })
    const response = await app.request(`${MRR}?format=csv`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ code: 'invalid_range', missing: ['start'] })
  })
})

describe('errors', () => {
  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s renders with its status', async (code) => {
    const { app } = serviceOver({
      query: () => Promise.reject(new AppError(code, 'Why.', { context: { limit: 3, code: 'x', detail: 'y' } })),
    })
    const response = await app.request(MRR)
    expect(response.status).toBe(ERROR_CODES[code].status)
    expect(response.headers.has('retry-after')).toBe(ERROR_CODES[code].status === 503)
    const issues =
      ERROR_CODES[code].status === 400
        ? { issues: [{ code, where: 'body', message: 'Why.', did_you_mean: [] }], issues_total: 1 }
        : {}
    expect(await response.json()).toEqual({
      detail: 'Why.',
      code,
      request_id: response.headers.get('x-request-id'),
      ...issues,
      limit: 3,
    })
  })

  it.each([
    ['a foreign error', new TypeError('secret postgres://user:password@host'), null],
    ['a broken invariant', new InternalError('no such slot', { cause: new Error('secret value 42') }), 'no such slot'],
    ['no error at all', 'secret', 'a string was thrown'],
  ])('%s is internal, logged as one line without foreign text', async (_, thrown, message) => {
    const { app, logged } = serviceOver({ query: () => Promise.reject(thrown) })
    const response = await app.request(`${MRR}/breakdown?filter=plan_id=secret`, { headers: { 'x-request-id': 'r1' } })
    expect(response.status).toBe(500)
    expect(JSON.stringify(await response.json())).not.toContain('secret')
    expect(logged).toHaveLength(1)
    expect(logged[0]).not.toContain('secret')
    expect(logged[0]).not.toContain('\n')
    const line = JSON.parse(logged[0] ?? '{}')
    expect(line).toMatchObject({ level: 'error', request_id: 'r1', query: 'mrr.breakdown' })
    expect(line.causes[0].message ?? null).toBe(message)
  })

  it('a client that has gone is not logged as a failure of ours', async () => {
    const { app, logged } = serviceOver({ query: () => Promise.reject(new Error('cancelled')) })
    await app.request(new Request(`http://localhost${MRR}`, { signal: AbortSignal.abort() }))
    expect(logged).toEqual([])
  })
})

describe('paths and methods', () => {
  it.each([
    ['GET', '/nowhere', 404, 'not_found', null],
    ['GET', '/api', 404, 'not_found', null],
    ['GET', '/api/metrics/mrr/nothing', 404, 'not_found', null],
    ['GET', '/api/metrics/mrr//', 404, 'not_found', null],
    ['GET', '/api/metrics/churn', 404, 'not_found', null],
    ['GET', '/api/metrics/churn/customers', 404, 'not_found', null],
    ['GET', '/api/metrics/summary/nothing', 404, 'not_found', null],
    ['POST', '/api/metrics/summary', 405, 'method_not_allowed', 'GET, HEAD'],
    ['POST', '/api/customers', 405, 'method_not_allowed', 'GET, HEAD'],
    ['DELETE', '/api/customers/x', 405, 'method_not_allowed', 'GET, HEAD'],
    ['GET', '/api/attributes/import', 405, 'method_not_allowed', 'POST'],
    ['GET', '/api/customers/x/y', 404, 'not_found', null],
    ['POST', '/api/nothing', 404, 'not_found', null],
    ['GET', '/api/metrics/nope', 404, 'unknown_metric', null],
    ['PUT', '/api/metrics/mrr', 405, 'method_not_allowed', 'GET, HEAD, POST'],
    ['DELETE', '/api/metrics/churn', 405, 'method_not_allowed', 'POST'],
    ['POST', '/api/metrics/mrr/breakdown', 405, 'method_not_allowed', 'GET, HEAD'],
    ['POST', '/api/metrics', 405, 'method_not_allowed', 'GET, HEAD'],
    ['POST', '/api/metrics/mrr/fields', 405, 'method_not_allowed', 'GET, HEAD'],
    ['PUT', '/healthz', 405, 'method_not_allowed', 'GET, HEAD'],
    ['OPTIONS', '/api/metrics/mrr', 405, 'method_not_allowed', 'GET, HEAD, POST'],
    ['OPTIONS', '/nowhere', 404, 'not_found', null],
    ['PROPFIND', '/api/metrics/mrr', 405, 'method_not_allowed', 'GET, HEAD, POST'],
  ])('%s %s', async (method, path, status, code, allow) => {
    const response = await serviceOver().app.request(path, { method, headers: JSON_BODY })
    expect(response.status).toBe(status)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ code })
  })

  it('fields, with - for _, and the list of metrics', async () => {
    const { app } = serviceOver()
    expect(await (await app.request('/api/metrics/usage-revenue/fields/')).json()).toMatchObject({
      query_types: ['usage_revenue'],
    })
    expect(await (await app.request('/api/metrics')).json()).toEqual([
      'churn',
      'expenses',
      'ltv',
      'mrr',
      'retention',
      'trials',
      'usage_revenue',
    ])
  })

  it('health touches nothing; readiness is 503 when something is missing', async () => {
    const replica = { ok: false, role: 'unknown' as const, lag_seconds: null, version: null, schema: null }
    const down = {
      readiness: () => Promise.resolve({ status: 'unavailable' as const, checks: { replica, store: { ok: null } } }),
    }
    expect(await (await serviceOver().app.request('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await serviceOver().app.request('/readyz')).status).toBe(200)
    const response = await serviceOver(down).app.request('/readyz')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await response.json()).toEqual({ status: 'unavailable', checks: { replica, store: { ok: null } } })
  })

  it('readiness tells of the cache what the document says', async () => {
    const replica = { ok: true, role: 'replica' as const, lag_seconds: 0, version: '15', schema: 'killbill' }
    const cache = {
      status: 'failed' as const,
      accounts: 0,
      snapshot_at: '2024-05-20T12:00:00.000Z',
      answered: 7,
      declined: { not_filled: 2 },
      refills: { settings: 1 },
    }
    const readiness = () => Promise.resolve({ status: 'ok' as const, checks: { replica, store: { ok: null }, cache } })
    const { app } = serviceOver({ readiness })
    const response = await app.request('/readyz')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ checks: { cache } })
    const document = (await (await app.request('/openapi.json')).json()) as {
      readonly paths: Record<
        string,
        { get: { responses: Record<string, { content: Record<string, { schema: ReadinessSchema }> }> } }
      >
    }
    const named = document.paths['/readyz']?.get.responses['200']?.content['application/json']?.schema
    const schema = describedPart(document, named)
    const described = schema?.properties.checks.properties.cache
    // Why a filling failed is said where one has, and how far it is while it runs.
    expect(Object.keys(described?.properties ?? {}).sort()).toEqual([...Object.keys(cache), 'progress', 'reason'].sort())
    expect([...(described?.required ?? [])].sort()).toEqual(Object.keys(cache).sort())
  })
})

describe('cross-origin requests', () => {
  const origin = 'https://app.example.com'
  const preflight = {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  }

  it('are allowed for configured origins, with a 200 preflight', async () => {
    const { app } = serviceOver({}, { corsOrigins: [origin] })
    const allowed = await app.request(MRR, preflight)
    expect(allowed.status).toBe(200)
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin)
    expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type')
    expect(await allowed.json()).toEqual({ status: 'ok' })
    const answered = await app.request(MRR, { headers: { origin } })
    expect(answered.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answered.headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(answered.headers.get('vary')).toContain('Origin')
    const missed = await app.request('/nowhere', { headers: { origin } })
    expect(missed.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('are not for others, and not at all without configuration', async () => {
    for (const corsOrigins of [[origin], []]) {
      const { app } = serviceOver({}, { corsOrigins })
      const headers = { ...preflight.headers, origin: 'https://evil.example.com' }
      expect((await app.request(MRR, { method: 'OPTIONS', headers })).headers.get('access-control-allow-origin')).toBeNull()
      expect((await app.request(MRR, { headers })).headers.get('access-control-allow-origin')).toBeNull()
    }
    expect((await serviceOver().app.request(MRR, preflight)).headers.get('access-control-allow-origin')).toBeNull()
  })
})
