import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { type Answer, type AskOptions, LARGE_ROWS, PlaceNeeded } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { type RunningServer, startServer } from '../../src/facades/http/server.ts'
import { emptyEmbedded, exampleEngine } from '../support/product/example-engine.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { META, serviceOver } from './recording-engine.ts'

const MANY = Array.from({ length: LARGE_ROWS + 1 }, (_, index) => ({ customer_id: `customer ${index} ü`, mrr: index }))
const ANSWER: Answer = { data: MANY, kind: 'rows', columns: ['customer_id', 'mrr'], meta: META }
const PATH = '/api/metrics/mrr'

/** How many answers are being made at a time. */
function engineOf() {
  const seen = { now: 0, most: 0, refused: 0, asked: 0 }
  const query = async (_metric: string, _params: unknown, _spec: unknown, options: AskOptions = {}): Promise<Answer> => {
    seen.asked += 1
    if (options.large?.take() === false) {
      seen.refused += 1
      throw new PlaceNeeded()
    }
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    await new Promise((resolve) => setTimeout(resolve, 20))
    seen.now -= 1
    return ANSWER
  }
  return { seen, query }
}

describe('a large answer', () => {
  const { app } = serviceOver({ query: engineOf().query })

  it.each([
    ['json', JSON.stringify(MANY)],
    ['csv', ['customer_id,mrr', ...MANY.map((row) => `${row.customer_id},${row.mrr}`), ''].join('\r\n')],
  ])('has the bytes, length and tag of one that is written at once: %s', async (format, text) => {
    const response = await app.request(`${PATH}?format=${format}`)
    expect(await response.text()).toBe(text)
    const { headers } = response
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding')
    const tag = headers.get('etag') ?? ''
    const again = await app.request(`${PATH}?format=${format}`, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
    const head = await app.request(`${PATH}?format=${format}`, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
      200,
      '',
      tag,
      String(Buffer.byteLength(text)),
    ])
    const zipped = await app.request(`${PATH}?format=${format}`, { headers: { 'accept-encoding': 'gzip' } })
    expect([zipped.headers.get('content-encoding'), zipped.headers.get('etag'), zipped.headers.get('content-length')]).toEqual([
      'gzip',
      `W/${tag}`,
      null,
    ])
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(text)
  })

  it.each(['json', 'csv'])('lets a small one be answered before it ends, with 50,000 rows: %s', async (format) => {
    const rows = Array.from({ length: 50_000 }, (_, index) => ({ customer_id: `customer ${index}`, mrr: index }))
    // The rows are there at once, so that only their rendering is left.
    const own = serviceOver({ query: async () => ({ ...ANSWER, data: rows }) }).app
    const ended: string[] = []
    const ask = async (name: string, path: string) => {
      await (await own.request(path)).text()
      ended.push(name)
    }
    const large = ask('large', `${PATH}?format=${format}`)
    // The event loop takes up nothing else while an answer is rendered at a stretch.
    await new Promise((resolve) => setImmediate(resolve))
    await ask('small', '/healthz')
    await large
    expect(ended).toEqual(['small', 'large'])
  })

  it('gives its place back whatever becomes of it', async () => {
    const { query, seen } = engineOf()
    const own = serviceOver({ query }).app
    for (let round = 0; round < 4; round += 1) {
      const left = await own.request(PATH)
      await left.body?.cancel()
      await own.request(PATH, { method: 'HEAD' })
      await own.request(PATH, { headers: { 'if-none-match': '*' } })
      await (await own.request(PATH, { headers: { accept: 'text/csv' } })).text()
      expect((await own.request(`${PATH}?format=xlsx`)).status).toBe(200)
    }
    expect([seen.refused, seen.asked]).toEqual([0, 20])
  })

  it('waits while its principal has two of them, without being made, and is refused where too many wait', async () => {
    const { query, seen } = engineOf()
    const own = serviceOver({ query }).app
    const responses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await own.request(PATH)
        return { status: response.status, retry: response.headers.get('retry-after'), text: await response.text() }
      }),
    )
    expect(seen.most).toBe(2)
    const refused = responses.filter(({ status }) => status === 503)
    expect(refused).toHaveLength(2)
    for (const { retry, text } of refused) expect([retry, JSON.parse(text).code]).toEqual(['5', 'overloaded'])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
  })

  it('of one address is not what another waits for where nobody signs in', async () => {
    const { query, seen } = engineOf()
    const own = serviceOver({ query }).app
    const from = (remoteAddress: string) => own.request(PATH, {}, { incoming: { socket: { remoteAddress } } })
    // Two that nobody reads keep both places of their address.
    const held = await Promise.all([from('10.0.0.1'), from('10.0.0.1')])
    expect((await (await from('10.0.0.2')).text()).length).toBeGreaterThan(0)
    expect(seen.refused).toBe(0)
    for (const response of held) await response.body?.cancel()
  })

  it('is not what others wait for: a small one needs no place', async () => {
    const { query } = engineOf()
    const small = serviceOver({
      query: async (metric, params, spec, options) =>
        params?.['at'] === undefined ? query(metric, params, spec, options) : { ...ANSWER, data: [], columns: [] },
    }).app
    // Two that nobody reads keep both places.
    const held = await Promise.all([small.request(PATH), small.request(PATH)])
    expect((await small.request(`${PATH}?at=2025-01-01`)).status).toBe(200)
    for (const response of held) await response.body?.cancel()
  })
})

describe('the engine', () => {
  it('asks for a place before it makes the rows', async () => {
    const { executor } = await emptyEmbedded()
    const engine = exampleEngine(executor())
    const question = { query_type: 'series', start: '2024-01-01', end: '2025-05-31', interval: 'day' }
    const large = (isFree: boolean) => ({
      isTaken: false,
      take: () => isFree,
      wait: () => Promise.reject(new Error('nobody waits')),
    })
    const spec = { dimensions: ['customer_id', 'plan_id', 'currency'] }
    const rows = (await engine.query('mrr', question, spec)).data as unknown[]
    expect(rows.length).toBeGreaterThan(LARGE_ROWS / 4)
    const days = { ...question, start: '2010-01-01' }
    await expect(engine.query('mrr', days, spec, { large: large(false) })).rejects.toThrow(PlaceNeeded)
    await expect(engine.query('mrr', days, spec, { large: large(true) })).resolves.toMatchObject({ kind: 'rows' })
  })

  it('refuses groups in more periods than any answer may have before it makes them', async () => {
    const { executor } = await emptyEmbedded()
    const engine = exampleEngine(executor(), { limits: { max_rows: 10 } })
    const spec = { dimensions: ['customer_id'] }
    for (const [metric, query_type] of [
      ['mrr', 'series'],
      ['mrr', 'waterfall'],
      ['churn', 'rate'],
      ['ltv', 'arpu'],
      ['retention', 'nrr'],
    ] as const) {
      const asked = engine.query(
        metric,
        {
          ...(query_type === 'rate' ? {} : { query_type }),
          start: '2024-01-01',
          end: '2025-05-31',
          [metric === 'mrr' ? 'interval' : 'granularity']: 'day',
        },
        spec,
      )
      await expect(asked, `${metric} ${query_type}`).rejects.toMatchObject({ code: 'result_too_large' })
    }
  })
})

describe('a service that is asked for what it refuses', () => {
  let server: RunningServer
  beforeAll(async () => {
    const { executor } = await emptyEmbedded()
    const app = createApp({
      engine: exampleEngine(executor()),
      version: '0',
      corsOrigins: [],
      limits: { body_bytes: 1_048_576 },
      log: () => {},
    })
    server = await startServer(app, { host: '127.0.0.1', port: 0, graceMs: 200 })
  })
  afterAll(() => server.stop())

  const healthy = async () => {
    const begun = performance.now()
    const response = await fetch(`${server.url}/healthz`)
    await response.text()
    return performance.now() - begun
  }
  const RANGE = 'granularity=day&start=0001-01-01&end=9999-12-31'
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'query_metric', arguments: { metric: 'mrr', granularity: 'day', start: '0001-01-01', end: '9999-12-31' } },
  })
  const post = (body: unknown) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_BODY, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    })

  it.each([
    ['five requests', () => Array.from({ length: 5 }, () => fetch(`${server.url}${PATH}?${RANGE}`))],
    ['five calls of a tool in one request', () => [post(Array.from({ length: 5 }, (_, id) => call(id)))]],
  ])('says that it lives as soon as ever: %s', async (_, ask) => {
    const ratios: number[] = []
    for (let round = 0; round < 4; round += 1) {
      const idle: number[] = []
      for (let time = 0; time < 9; time += 1) idle.push(await healthy())
      const asked = ask()
      const waited = await healthy()
      for (const response of await Promise.all(asked)) await response.text()
      ratios.push(waited / (idle.toSorted((a, b) => a - b)[4] ?? 1))
    }
    // Seconds for every round where periods are made before they are counted.
    expect(Math.min(...ratios)).toBeLessThan(60)
  })

  it('takes so many messages at a time', async () => {
    const response = await post(Array.from({ length: 21 }, (_, id) => call(id)))
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'validation_failed', limit: 20 }])
    const taken = await post(Array.from({ length: 20 }, (_, id) => call(id)))
    expect([taken.status, await taken.json()]).toMatchObject([200, { length: 20 }])
  })
})

it('a refusal of a place says when to ask again', () => {
  expect(new PlaceNeeded()).toBeInstanceOf(AppError)
  expect(new PlaceNeeded()).toMatchObject({ code: 'overloaded', context: { retry_after: 5 } })
})
