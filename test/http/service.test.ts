import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { describeExample } from '../support/product/example-engine.ts'
import { JSON_BODY } from '../support/product/json-body.ts'

describeExample('the HTTP service over a real engine', (engineOf) => {
  let engine: Engine
  const logged: string[] = []
  const request = (path: string, init?: RequestInit) => app.request(path, init)
  let app: ReturnType<typeof createApp>

  beforeAll(() => {
    engine = engineOf()
    app = createApp({
      engine,
      version: '0',
      corsOrigins: [],
      limits: { body_bytes: 1_048_576 },
      log: (line) => logged.push(line),
    })
  })

  it.each([
    ['/api/metrics/mrr', {}, {}],
    ['/api/metrics/mrr?at=2025-03-31&dimensions=plan_id,currency', { at: '2025-03-31' }, { dimensions: ['plan_id', 'currency'] }],
    ['/api/metrics/arr?start=2025-01-01&end=2025-05-31', { query_type: 'arr', start: '2025-01-01', end: '2025-05-31' }, {}],
    ['/api/metrics/mrr/components?at=2025-05-31', { query_type: 'components', at: '2025-05-31' }, {}],
    [
      '/api/metrics/mrr/breakdown?start=2025-03-01&end=2025-05-31&filter=currency=usd',
      { query_type: 'breakdown', start: '2025-03-01', end: '2025-05-31' },
      { filters: { currency: 'usd' } },
    ],
    [
      '/api/metrics/mrr/waterfall?start=2025-03-01&end=2025-05-31&interval=quarter',
      { query_type: 'waterfall', start: '2025-03-01', end: '2025-05-31', interval: 'quarter' },
      {},
    ],
  ])('%s answers what the engine answers, by GET and by POST', async (path, params, spec) => {
    const expected = JSON.stringify((await engine.query('mrr', params, spec)).data)
    const got = await request(path)
    expect(got.status).toBe(200)
    expect(await got.text()).toBe(expected)
    const posted = await request('/api/metrics/mrr', {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ params, spec }),
    })
    expect(await posted.text()).toBe(expected)
    expect((await request(path, { headers: { 'if-none-match': got.headers.get('etag') ?? '' } })).status).toBe(304)
  })

  it('all that is wrong with a request is reported at once, in the order of the query string', async () => {
    const response = await request(
      '/api/metrics/mrr/breakdown?start=x&bogus=1&dimensions=plan&filter=nope=1&filter=nonsense&granularity=eon&format=xml',
    )
    const body = (await response.json()) as {
      code: string
      issues: { code: string; where: string }[]
      available_dimensions: string[]
    }
    expect(response.status).toBe(400)
    expect(body.code).toBe('unknown_dimension')
    expect(body.available_dimensions).toContain('plan_id')
    expect(body.issues.map((issue) => `${issue.code} ${issue.where}`).sort()).toEqual([
      'invalid_interval query.granularity',
      'invalid_range query.end',
      'invalid_value query.bogus',
      'invalid_value query.filter',
      'invalid_value query.format',
      'invalid_value query.start',
      'unknown_dimension query.dimensions',
      'unknown_filter query.filter',
    ])
  })

  const HOSTILE = [
    "'; drop table accounts; --",
    '\\',
    '%',
    '\u0000',
    '\ud800',
    '$1',
    '/*{filters}*/',
    '__proto__',
    'constructor',
    'a'.repeat(10_000),
    '💥',
    '\r\nx-evil: 1',
    '1e309',
    'null',
  ]

  it.each(HOSTILE)('hostile text is never a 500: %j', async (text) => {
    const encoded = encodeURIComponent(text.replace('\ud800', '\ufffd'))
    const bodies = [
      { params: { at: text, query_type: text, [text]: text } },
      { spec: { filters: { [text]: text, plan_id: text, tenure_months: { '>': text, between: [text, text], [text]: [] } } } },
      { spec: { dimensions: [text], time_range: [text, text], granularity: text, [text]: 1 } },
      { spec: { filters: { plan_id: { in: [text], contains: text } } } },
      { [text]: text },
    ]
    const responses = [
      await request(`/api/metrics/${encoded}`),
      await request(`/api/metrics/${encoded}/fields`),
      await request(
        `/api/metrics/mrr?at=${encoded}&start=${encoded}&interval=${encoded}&${encoded}=${encoded}&format=${encoded}`,
      ),
      await request(
        `/api/metrics/mrr?dimensions=${encoded}&filter=${encoded}&filter=plan_id=${encoded}&filter=${encoded}=${encoded}`,
      ),
      await request(`/api/metrics/mrr?filter=plan_name=${encoded}&filter=customer.name=${encoded}`),
      await request(`/api/metrics/${encoded}`, { method: 'POST', headers: JSON_BODY, body: text }),
      ...(await Promise.all(
        bodies.map((body) => request('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })),
      )),
    ]
    for (const response of responses) {
      expect(response.status, await response.clone().text()).toBeLessThan(500)
      if (response.status === 400) expect(await response.json()).toMatchObject({ issues: expect.any(Array) })
    }
    expect(logged).toEqual([])
  })

  it.each([
    ['1', 422],
    ['"x"', 422],
    ['null', 422],
    ['{"params":{"at":{"a":1}}}', 400],
    ['{"params":{"at":[]}}', 400],
    ['{"params":null}', 422],
    ['{"spec":null}', 422],
    ['{"params":{"segment":null}}', 422],
    ['{"params":{"interval":5}}', 400],
    ['{"spec":{"dimensions":"plan_id"}}', 422],
    ['{"spec":{"dimensions":[1]}}', 422],
    ['{"spec":{"filters":[]}}', 422],
    ['{"spec":{"filters":{"plan_id":{"a":{"b":1}}}}}', 400],
    ['{"spec":{"filters":{"plan_id":null}}}', 400],
    ['{"spec":{"time_range":["2025-01-01"]}}', 422],
    ['{"spec":{"filters":{"tenure_months":1e308}}}', 400],
    ['{"spec":{"filters":{"tenure_months":12345678901234567890}}}', 400],
  ])('body %s is %i', async (body, status) => {
    const response = await request('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body })
    expect(response.status, await response.clone().text()).toBe(status)
    expect(logged).toEqual([])
  })

  it('many wrong names are counted, and the first hundred of each kind reported', async () => {
    const dimensions = Array.from({ length: 900 }, (_, index) => `plan_id${index}`)
    const fields = Object.fromEntries(dimensions.map((name) => [name, 1]))
    const wrong = [{ spec: { dimensions } }, fields, { params: fields }, { spec: { filters: fields } }]
    for (const body of wrong) {
      const response = await request('/api/metrics/mrr', { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
      const { issues, issues_total } = (await response.json()) as { issues: { message: string }[]; issues_total: number }
      expect(issues[0]?.message).toMatch(/^900 .*; the limit is 100\.$/)
      expect([issues.length, issues_total]).toEqual([100, 101])
    }
  })
})
