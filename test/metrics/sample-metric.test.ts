import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import type { MetricDefinition } from '../../src/metrics/define-metric.ts'
import { targets } from '../support/databases/targets.ts'
import { exampleEngine } from '../support/product/example-engine.ts'
import { allOf, keptStore, segmentId } from '../support/product/store-with-segments.ts'
import { units } from './sample-metric.ts'

const root = packageRoot()
const catalog = loadCatalog({ sql: join(root, 'sql'), relations: [], metrics: [join(root, 'test', 'consumer', 'sql', 'units')] })
const MAY = { start: '2025-05-01', end: '2025-05-31' }

/** A metric that depends on another and says nothing else. */
function ring(name: string, next: string): MetricDefinition {
  const docs = { formula: '', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: null } }
  return { name, summary: '', depends_on: [next], reads: [], time_fields: [], queries: {}, choose: () => '', routes: [], docs }
}

describe('a metric of an embedder is a definition and a folder of SQL', () => {
  let engine: Engine
  let app: ReturnType<typeof createApp>
  let gold: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const database = await targets()
      .find(({ name }) => name === 'pglite')
      ?.createDatabase()
    if (database === undefined) throw new Error('PGlite is always at hand')
    close = () => database.drop()
    gold = segmentId(1)
    const holders = ['A', 'C'].map((customer_id) => ({ source_id: 'T', customer_id, value: 'gold' }))
    const store = await keptStore({
      attributes: { tier: { type: 'string', values: holders } },
      segments: { [gold]: allOf({ field: 'attr.tier', op: '=', value: 'gold' }) },
    })
    engine = exampleEngine(database.executor(), { store, registry: builtInRegistry([units]), catalog })
    app = createApp({ engine, version: '1', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
  })
  afterAll(() => close())
  const get = async (path: string): Promise<unknown> => (await app.request(path)).json()

  // At the end of May: S1, S5 and S7 with one unit each, S3 with eight; MRR 33433.
  it('answers through the engine, alone and from another metric in the same snapshot', async () => {
    expect((await engine.query('units', MAY)).data).toBe(11)
    expect((await engine.query('units', MAY, { dimensions: ['currency'] })).data).toEqual([
      { currency: 'EUR', units: 8 },
      { currency: 'USD', units: 3 },
    ])
    expect((await engine.query('units', MAY, { filters: { currency: 'EUR' } })).data).toBe(8)
    expect((await engine.query('units', { query_type: 'price', ...MAY })).data).toBeCloseTo(33433 / 11, 4)
  })

  // EUR is S3 alone: 19200 over eight units. Gold are S1 and S3: 8333 + 19200 over nine.
  it.each([
    ['a filter', () => ({ filters: { currency: 'EUR' } }), 19200 / 8],
    ['a filter on an attribute', () => ({ filters: { 'attr.tier': 'gold' } }), 27533 / 9],
    ['a segment', () => ({ segment: gold }), 27533 / 9],
    ['a filter and a segment', () => ({ filters: { currency: 'EUR' }, segment: gold }), 19200 / 8],
  ])('a metric built on another asks it about the same customers: %s', async (_name, spec, expected) => {
    const { data } = await engine.query('units', { query_type: 'price', ...MAY }, spec())
    expect(data).toBeCloseTo(expected, 4)
  })

  it('a metric built on another asks it in the same groups, and for its own days', async () => {
    const spec = { dimensions: ['currency'], time_range: ['2025-05-01', '2025-05-31'] }
    expect((await engine.query('units', { query_type: 'beside' }, spec)).data).toEqual([
      { currency: 'EUR', mrr: 16000 },
      { currency: 'USD', mrr: 14233 },
    ])
  })

  it('answers through HTTP, and a bad request is refused as everywhere', async () => {
    expect(await get('/api/metrics/units?start=2025-05-01&end=2025-05-31')).toBe(11)
    expect(await get('/api/metrics/units?start=2025-05-01&end=2025-05-31&dimensions=currency')).toHaveLength(2)
    expect(await get('/api/metrics/units/price?start=2025-05-01&end=2025-05-31')).toBeCloseTo(33433 / 11, 4)
    const body = JSON.stringify({ params: MAY, spec: { filters: { currency: 'USD' } } })
    const posted = await app.request('/api/metrics/units', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(await posted.json()).toBe(3)
    expect(await get('/api/metrics/units?start=2025-05-01&end=2025-05-31&dimensions=plan_id')).toMatchObject({
      code: 'unknown_dimension',
      available_dimensions: ['currency', 'source', 'source_id', 'tenant'],
    })
  })

  it('shows in discovery and in the documents', async () => {
    expect(await get('/api/metrics')).toEqual([...builtInRegistry().names, 'units'].sort())
    expect(await get('/api/metrics/units/fields')).toMatchObject({ query_types: ['beside', 'price', 'total'] })
    const { paths } = (await get('/openapi.json')) as { paths: Record<string, unknown> }
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/metrics/units', '/api/metrics/units/price']))
  })
})

it('metrics that depend on each other stop the start, and the message is their path', () => {
  const metrics = [ring('first', 'second'), ring('second', 'third'), ring('third', 'first')]
  expect(() => builtInRegistry(metrics)).toThrow('first -> second -> third -> first')
})

it('a metric that bears the name or the path of one of the product is refused', () => {
  expect(() => builtInRegistry([{ ...units, name: 'mrr' }])).toThrow('two metrics have the same name: mrr')
  const routes = units.routes.map((route) => ({ ...route, path: 'churn/revenue_events' }))
  expect(() => builtInRegistry([{ ...units, routes: routes.slice(0, 1) }])).toThrow('the same path: churn/revenue_events')
  expect(() => builtInRegistry([{ ...units, name: 'seat-count' }])).toThrow('"seat-count" is not in snake_case')
})
