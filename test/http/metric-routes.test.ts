import { describe, expect, it } from 'vitest'
import { AppError, errorFromIssues } from '../../src/core/errors.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { META, serviceOver } from './recording-engine.ts'

describe('a GET is one engine query', () => {
  it.each([
    ['/api/metrics/mrr', {}, {}],
    ['/api/metrics/mrr/', {}, {}],
    ['/api/metrics/mrr?at=2025-05-31', { at: '2025-05-31' }, {}],
    ['/api/metrics/arr?start=a&end=b&interval=week', { start: 'a', end: 'b', interval: 'week', query_type: 'arr' }, {}],
    ['/api/metrics/mrr/components', { query_type: 'components' }, {}],
    [
      '/api/metrics/mrr/breakdown?start=a&end=b&granularity=month',
      { start: 'a', end: 'b', granularity: 'month', query_type: 'breakdown' },
      {},
    ],
    ['/api/metrics/mrr/waterfall?bogus=1&at=1&at=2', { bogus: '1', at: ['1', '2'], query_type: 'waterfall' }, {}],
    [
      '/api/metrics/mrr?dimensions=plan_id,currency&dimensions=source&filter=attr.a%3Dx%3Dy&filter=source=k',
      {},
      { dimensions: ['plan_id', 'currency', 'source'], filters: { 'attr.a': 'x=y', source: 'k' } },
    ],
  ])('%s', async (url, params, spec) => {
    const { app, calls } = serviceOver()
    const response = await app.request(url)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('17133')
    expect(calls).toEqual([['query', 'mrr', params, spec]])
  })

  it('a parameter that chooses a query has no effect on a path that names one, and says so', async () => {
    const { app, calls } = serviceOver()
    const response = await app.request('/api/metrics/mrr/waterfall?query_type=arr&type=logo')
    expect([response.status, response.headers.get('x-warnings')]).toEqual([200, 'unused_parameter'])
    expect(calls).toEqual([['query', 'mrr', { query_type: 'waterfall' }, {}]])
    const twice = await app.request('/api/metrics/mrr?query_type=arr&query_type=series')
    expect(twice.status).toBe(400)
    expect(await twice.json()).toMatchObject({ code: 'invalid_value', issues: [{ where: 'query.query_type' }] })
  })

  it('hands on a signal that the client can abort', async () => {
    const seen: (AbortSignal | undefined)[] = []
    const { app } = serviceOver({
      query: (_, __, ___, options) => {
        seen.push(options?.signal)
        return Promise.resolve({ data: 1, kind: 'scalar', columns: ['mrr'], meta: META })
      },
    })
    const controller = new AbortController()
    await app.request(new Request('http://localhost/api/metrics/mrr', { signal: controller.signal }))
    controller.abort()
    expect(seen[0]?.aborted).toBe(true)
  })
})

describe('POST /api/metrics/{metric}', () => {
  const post = (
    service: ReturnType<typeof serviceOver>,
    path: string,
    body: string | undefined,
    headers: Record<string, string> = {},
  ) =>
    service.app.request(path, {
      method: 'POST',
      headers: { ...JSON_BODY, ...headers },
      ...(body === undefined ? {} : { body }),
    })

  it('is one engine query with the body unchanged', async () => {
    const service = serviceOver()
    const body = {
      params: { query_type: 'breakdown', start: '2025-01-01', end: '2025-03-31' },
      spec: { filters: { currency: { in: ['EUR'] } }, dimensions: ['plan_id'] },
    }
    const response = await post(service, '/api/metrics/mrr', JSON.stringify(body))
    expect(response.status).toBe(200)
    expect(service.calls).toEqual([['query', 'mrr', body.params, body.spec]])
  })

  it.each([
    ['no body', undefined],
    ['empty body', ''],
    ['empty object', '{}'],
  ])('%s means no parameters', async (_, body) => {
    const service = serviceOver()
    expect((await post(service, '/api/metrics/usage-revenue/', body)).status).toBe(200)
    expect(service.calls).toEqual([['query', 'usage_revenue', {}, {}]])
  })

  it('nulls are no way to say nothing', async () => {
    const service = serviceOver()
    expect((await post(service, '/api/metrics/usage-revenue/', '{"params":null,"spec":null}')).status).toBe(422)
  })

  it('takes the format from body, URL or Accept', async () => {
    const service = serviceOver()
    const responses = [
      await post(service, '/api/metrics/mrr', '{"params":{"format":"csv"}}'),
      await post(service, '/api/metrics/mrr?format=csv', '{}'),
      await post(service, '/api/metrics/mrr', '{}', { accept: 'text/csv' }),
    ]
    for (const response of responses) expect(await response.text()).toBe('mrr\r\n17133\r\n')
  })

  it.each([
    ['not JSON', '{"params":', 400, 'invalid_json', 'body'],
    ['a list', '[]', 422, 'validation_failed', 'body'],
    ['text', '"x"', 422, 'validation_failed', 'body'],
    ['an unknown field', '{"parms":{}}', 422, 'validation_failed', 'body.parms'],
    ['params that are a list', '{"params":[]}', 422, 'validation_failed', 'body.params'],
    ['spec that is text', '{"spec":"x"}', 422, 'validation_failed', 'body.spec'],
    ['an unknown parameter', '{"params":{"starts":"2025-01-01"}}', 422, 'validation_failed', 'body.params.starts'],
    ['a __proto__ field', '{"__proto__":{}}', 422, 'validation_failed', 'body.__proto__'],
    ['a __proto__ parameter', '{"params":{"__proto__":{"at":"x"}}}', 422, 'validation_failed', 'body.params.__proto__'],
    ['absurd nesting', `{"spec":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 422, 'validation_failed', 'body'],
  ])('%s', async (_, body, status, code, where) => {
    const response = await post(serviceOver(), '/api/metrics/mrr', body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code, issues: [{ code, where }] })
  })

  it('takes the segment in params too, as a query string has it', async () => {
    const service = serviceOver()
    const params = { segment: 's1', at: '2025-01-01' }
    expect((await post(service, '/api/metrics/mrr', JSON.stringify({ params }))).status).toBe(200)
    expect(service.calls).toEqual([['query', 'mrr', params, {}]])
  })

  it.each([
    [{ segment: 's1' }, 'body.segment', 'spec.segment'],
    [{ compare_segments: ['s1'] }, 'body.compare_segments', 'spec.compare'],
    [{ at: '2025-01-01' }, 'body.at', 'params.at'],
    [{ params: { compare: ['s1'] } }, 'body.params.compare', 'spec.compare'],
    [{ params: { filter: 'a=b' } }, 'body.params.filter', 'spec.filters'],
    [{ params: { dimensions: ['plan_id'] } }, 'body.params.dimensions', 'spec.dimensions'],
  ])('%j: %s is told to stand in %s', async (body, where, place) => {
    const response = await post(serviceOver(), '/api/metrics/mrr', JSON.stringify(body))
    expect(response.status).toBe(422)
    const { issues } = (await response.json()) as { issues: unknown }
    expect(issues).toEqual([
      expect.objectContaining({ code: 'validation_failed', where, message: expect.stringContaining(`"${place}"`) }),
    ])
  })

  it('bytes that are no UTF-8 are invalid_json', async () => {
    const { app } = serviceOver()
    const response = await app.request('/api/metrics/mrr', {
      method: 'POST',
      headers: JSON_BODY,
      body: Uint8Array.of(0x22, 0xff, 0x22),
    })
    expect(await response.json()).toMatchObject({ code: 'invalid_json' })
  })

  it('a body over the limit is payload_too_large, announced or not', async () => {
    const service = serviceOver({}, { bodyBytes: 100 })
    const large = JSON.stringify({ params: { at: 'x'.repeat(200) } })
    const announced = await post(service, '/api/metrics/mrr', large, { 'content-length': String(large.length) })
    const streamed = await service.app.request('/api/metrics/mrr', {
      method: 'POST',
      headers: JSON_BODY,
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    for (const response of [announced, streamed]) {
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ code: 'payload_too_large', limit_bytes: 100 })
    }
    expect(service.calls).toEqual([])
  })

  it('parameters in the URL are refused', async () => {
    const response = await post(serviceOver(), '/api/metrics/mrr?at=2025-01-01', '{}')
    expect(await response.json()).toMatchObject({ code: 'invalid_value', issues: [{ where: 'query.at' }] })
  })
})

describe('issues speak the words of the request', () => {
  const refusing = {
    query: () =>
      Promise.reject(
        errorFromIssues(
          [
            { code: 'invalid_value', where: 'params.at', value: 'x', message: 'A date.', did_you_mean: [] },
            {
              code: 'unknown_dimension',
              where: 'spec.dimensions',
              value: 'plan',
              message: 'Unknown dimension "plan".',
              did_you_mean: ['plan_id'],
            },
            {
              code: 'unknown_filter',
              where: 'spec.filters.a.b',
              value: 'a.b',
              message: 'Unknown filter "a.b".',
              did_you_mean: [],
            },
            { code: 'invalid_interval', where: 'spec.granularity', value: 'x', message: 'No.', did_you_mean: [] },
          ],
          { available_dimensions: ['plan_id'] },
        ),
      ),
  }

  it('of a query string', async () => {
    const response = await serviceOver(refusing).app.request('/api/metrics/mrr', { headers: { 'x-request-id': 'abc' } })
    expect(response.status).toBe(400)
    expect(await response.text()).toBe(
      JSON.stringify({
        detail: 'Unknown dimension "plan".',
        code: 'unknown_dimension',
        request_id: 'abc',
        issues: [
          { code: 'invalid_value', where: 'query.at', value: 'x', message: 'A date.', did_you_mean: [] },
          {
            code: 'unknown_dimension',
            where: 'query.dimensions',
            value: 'plan',
            message: 'Unknown dimension "plan".',
            did_you_mean: ['plan_id'],
          },
          { code: 'unknown_filter', where: 'query.filter', value: 'a.b', message: 'Unknown filter "a.b".', did_you_mean: [] },
          { code: 'invalid_interval', where: 'query.granularity', value: 'x', message: 'No.', did_you_mean: [] },
        ],
        issues_total: 4,
        available_dimensions: ['plan_id'],
      }),
    )
  })

  it('of a body', async () => {
    const response = await serviceOver(refusing).app.request('/api/metrics/mrr', {
      method: 'POST',
      headers: JSON_BODY,
      body: '{}',
    })
    const body = (await response.json()) as { issues: { where: string }[] }
    expect(body.issues.map((issue) => issue.where)).toEqual([
      'body.params.at',
      'body.spec.dimensions',
      'body.spec.filters.a.b',
      'body.spec.granularity',
    ])
  })

  it('the facade’s own come first and with those of the engine; the leading code decides', async () => {
    const { app } = serviceOver(refusing)
    const body = (await (await app.request('/api/metrics/mrr?filter=nonsense')).json()) as { code: string; issues: unknown[] }
    expect(body).toMatchObject({ code: 'unknown_dimension', available_dimensions: ['plan_id'] })
    expect(body.issues).toHaveLength(5)
  })

  it('a malformed filter is refused although the engine finds nothing, and its database is left alone', async () => {
    const signals: (boolean | undefined)[] = []
    const { app } = serviceOver({
      query: (_, __, ___, options) => {
        signals.push(options?.signal?.aborted)
        return Promise.reject(new AppError('connector_unavailable', 'down'))
      },
    })
    const response = await app.request('/api/metrics/mrr?filter=nonsense')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_value', issues: [{ where: 'query.filter', value: 'nonsense' }] })
    expect(signals).toEqual([true])
  })
})
