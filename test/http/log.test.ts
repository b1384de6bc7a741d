import { describe, expect, it } from 'vitest'
import { AppError, ConfigurationError } from '../../src/core/errors.ts'
import { createStateLog } from '../../src/facades/http/failure.ts'
import { createLog, type LogLevel } from '../../src/facades/http/log.ts'
import { startServer } from '../../src/facades/http/server.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { serviceOver } from './recording-engine.ts'

const SECRET = 'ann@example.com'
const logging = { level: 'info', format: 'json' } as const

const parsed = (logged: readonly string[]): Record<string, unknown>[] =>
  logged.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the access log', () => {
  it('has one line a request, with the id of the answer, and nothing that was asked for', async () => {
    const { app, logged } = serviceOver({}, { logging })
    const answers = [
      await app.request(`/api/metrics/mrr?filter=customer.email=${SECRET}`),
      await app.request(`/api/customers/${SECRET}`, { headers: { 'x-request-id': 'mine' } }),
      await app.request(`/nowhere/${SECRET}?${SECRET}`),
      await app.request('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body: `{"${SECRET}":1}` }),
      await app.request('/api/metrics/mrr', { headers: { host: SECRET } }),
    ]
    const lines = parsed(logged)
    expect(lines.map((line) => line['request_id'])).toEqual(answers.map(({ headers }) => headers.get('x-request-id')))
    expect(
      lines.map(({ level, message, method, route, status, query, code }) => [level, message, method, route, status, query, code]),
    ).toEqual([
      ['info', 'request', 'GET', '/api/metrics/mrr', 200, 'mrr.default', undefined],
      ['info', 'request', 'GET', '/api/customers/:id', 200, 'data.customer', undefined],
      ['info', 'request', 'GET', 'unknown', 404, undefined, 'not_found'],
      ['info', 'request', 'POST', '/api/metrics/:metric', 422, 'mrr.post', 'validation_failed'],
      ['info', 'request', 'GET', '/api/metrics/mrr', 403, undefined, 'forbidden_host'],
    ])
    for (const line of lines) expect(line).toMatchObject({ time: expect.stringMatching(/^\d{4}-.*Z$/), ms: expect.any(Number) })
    expect(logged.join()).not.toContain(SECRET)
  })

  it('has probes at debug, and nothing below its level', async () => {
    const count = async (level: LogLevel) => {
      const { app, logged } = serviceOver({}, { logging: { level, format: 'json' } })
      for (const path of ['/healthz', '/readyz', '/metrics', '/api/metrics/mrr']) await app.request(path)
      return parsed(logged).map((line) => line['level'])
    }
    expect(await count('debug')).toEqual(['debug', 'debug', 'debug', 'info'])
    expect(await count('info')).toEqual(['info'])
    expect(await count('warn')).toEqual([])
  })

  it('and the failures have the same id', async () => {
    const failing = { query: () => Promise.reject(new TypeError(`password=${SECRET}`)) }
    const { app, logged } = serviceOver(failing, { logging })
    const { headers } = await app.request('/api/metrics/mrr')
    const [failure, access] = parsed(logged)
    expect(failure).toMatchObject({
      level: 'error',
      message: 'failure',
      request_id: headers.get('x-request-id'),
      query: 'mrr.default',
    })
    expect(access).toMatchObject({ level: 'info', status: 500, code: 'internal', request_id: headers.get('x-request-id') })
    expect(logged.join()).not.toContain(SECRET)
  })

  it('says who is at the other end of the connection, and believes no header about it', async () => {
    const { app, logged } = serviceOver({}, { logging })
    const server = await startServer(app, { host: '127.0.0.1', port: 0, graceMs: 200 })
    await fetch(`${server.url}/api/metrics/mrr`, { headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' } })
    await server.stop()
    expect(parsed(logged)).toMatchObject([{ message: 'request', remote_address: '127.0.0.1' }])
  })

  it('names the code of what is refused', async () => {
    const { app, logged } = serviceOver({ query: () => Promise.reject(new AppError('query_timeout', SECRET)) }, { logging })
    await app.request('/api/metrics/mrr')
    expect(parsed(logged)).toMatchObject([{ status: 504, code: 'query_timeout' }])
    expect(logged.join()).not.toContain(SECRET)
  })

  it('names the query of the database that failed, each time', async () => {
    const cause = Object.assign(new Error(SECRET), { queryId: 'q_1' })
    const error = new AppError('result_too_large', 'Too large.', { cause })
    const { app, logged } = serviceOver({ query: () => Promise.reject(error) }, { logging })
    for (let i = 0; i < 2; i++) await app.request('/api/metrics/mrr')
    const requests = parsed(logged).filter(({ message }) => message === 'request')
    expect(requests).toMatchObject([
      { status: 422, query_id: 'q_1' },
      { status: 422, query_id: 'q_1' },
    ])
    expect(logged.join()).not.toContain(SECRET)
  })

  it.each([
    ['that the server of the database wants', { retry_after: 60 }, '60'],
    ['of the service', {}, '5'],
  ])('a 503 has the pause %s', async (_name, context, expected) => {
    const error = new AppError('overloaded', 'Too many queries.', { context })
    const { app } = serviceOver({ query: () => Promise.reject(error) }, { logging })
    expect((await app.request('/api/metrics/mrr')).headers.get('retry-after')).toBe(expected)
  })

  it('has the cause of a 503 once, with the id of the request, for a tool too', async () => {
    const detail = { operatorDetail: 'The billing database at db port 5432 cannot be reached (ECONNREFUSED).' }
    const unreachable = () => Promise.reject(new AppError('connector_unavailable', 'The billing database is down.', detail))
    const { app, logged } = serviceOver({ query: unreachable }, { logging })
    const { headers, status } = await app.request('/api/metrics/mrr')
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query_metric', arguments: { metric: 'mrr' } } }
    await app.request('/api/metrics/churn')
    const asked = { method: 'POST', headers: { ...JSON_BODY, accept: 'application/json' }, body: JSON.stringify(tool) }
    expect(await (await app.request('/mcp', asked)).text()).toContain('connector_unavailable')
    expect(status).toBe(503)
    const causes = parsed(logged).filter(({ message }) => message !== 'request')
    expect(causes).toEqual([
      {
        time: expect.any(String),
        level: 'error',
        message: detail.operatorDetail,
        code: 'connector_unavailable',
        query: 'mrr.default',
        request_id: headers.get('x-request-id'),
      },
    ])
  })
})

describe('the log of states', () => {
  const entries: [level: string, message: string][] = []
  let now = 0
  const logState = createStateLog(
    (level, message) => entries.push([level, message]),
    () => now,
  )
  const seen = () => entries.splice(0)
  const lag = (seconds: number) => new AppError('replica_lagging', `The replica is ${seconds} s behind; the limit is 300 s.`)

  it('has a state again only after a minute without it, and tells states apart by more than figures', () => {
    logState(lag(400))
    for (now = 1_000; now < 300_000; now += 50_000) logState(lag(400 + now))
    expect(seen()).toEqual([['error', 'The replica is 400 s behind; the limit is 300 s.']])
    logState(new AppError('overloaded', 'Too many requests at a time.'))
    expect(seen()).toEqual([['warn', 'Too many requests at a time.']])
    now += 100_000
    logState(lag(900))
    expect(seen()).toEqual([['error', 'The replica is 900 s behind; the limit is 300 s.']])
  })

  it('has what is not configured, and no refusal that the caller can mend', () => {
    logState(new ConfigurationError(['connector.tenant: name one of a, b']))
    logState(new AppError('invalid_value', SECRET))
    logState(new AppError('query_timeout', SECRET))
    logState(new TypeError(SECRET))
    expect(seen()).toEqual([['error', 'connector.tenant: name one of a, b']])
  })
})

describe('a line', () => {
  it('as text is one line of names and values', () => {
    const lines: string[] = []
    const log = createLog((line) => lines.push(line), { level: 'debug', format: 'text' })
    log('warn', 'connections dropped', { dropped: 3, host: '0.0.0.0', absent: undefined, odd: 'a\nb "c"', hosts: ['x'] })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}connections dropped dropped=3 host=0\.0\.0\.0 odd="a\\nb \\"c\\"" hosts=\["x"\]$/,
    )
  })
})
