import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { MetricDefinition } from '../../src/metrics/define-metric.ts'
import { copyProduct, type ProductCopy } from './product-copy.ts'

type BuiltIn = typeof import('../../src/metrics/built-in.ts')
type Commands = typeof import('../../src/facades/cli/commands/metrics.ts')
type Example = typeof import('../support/product/example-engine.ts')
type Http = typeof import('../../src/facades/http/app.ts')
type Targets = typeof import('../support/databases/targets.ts')

/** The files of the guide, by path: each block of code follows the path of its file. */
const GUIDE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...readFileSync(join(packageRoot(), 'docs', 'write-a-metric.md'), 'utf8').matchAll(
      /^`([a-z/-]+\.(?:ts|sql))`\n\n```(?:ts|sql)\n(.*?)^```$/gms,
    ),
  ].map(([, path = '', text = '']) => [path, text]),
)
const MAY = { start: '2025-05-01', end: '2025-05-31' }

describe('the metric of the guide (docs/write-a-metric.md)', () => {
  let copy: ProductCopy
  let metric: MetricDefinition
  let engine: Engine
  let app: ReturnType<Http['createApp']>
  let close: () => Promise<void>
  beforeAll(async () => {
    copy = await copyProduct(GUIDE)
    metric = (await copy.load<{ readonly metric: MetricDefinition }>('src/metrics/units/index.ts')).metric
    const { builtInRegistry } = await copy.load<BuiltIn>('src/metrics/built-in.ts')
    const { exampleEngine } = await copy.load<Example>('test/support/product/example-engine.ts')
    const { targets } = await copy.load<Targets>('test/support/databases/targets.ts')
    const database = await targets()
      .find(({ name }) => name === 'pglite')
      ?.createDatabase()
    if (database === undefined) throw new Error('PGlite is always at hand')
    close = () => database.drop()
    engine = exampleEngine(database.executor(), { registry: builtInRegistry([metric]) })
    const { createApp } = await copy.load<Http>('src/facades/http/app.ts')
    app = createApp({ engine, version: '1', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
  })
  afterAll(async () => {
    await close()
    await copy.remove()
  })

  it('is asked from a program of one’s own as the packed package is tried, letter by letter', () => {
    const guide = readFileSync(join(packageRoot(), 'docs', 'write-a-metric.md'), 'utf8')
    expect(guide).toContain(readFileSync(join(packageRoot(), 'test', 'consumer', 'src', 'ask-units.ts'), 'utf8'))
  })

  it('answers the example of its documentation', async () => {
    const { params, spec, answer } = metric.docs.example
    expect((await engine.query('units', params, spec)).data).toBe(answer)
  })

  // At the end of May: S1, S5 and S7 with one unit each, S3 with eight; MRR 33433, that of S3 is 19200.
  it('answers by group, and from another metric', async () => {
    expect((await engine.query('units', MAY, { dimensions: ['currency'] })).data).toEqual([
      { currency: 'EUR', units: 8 },
      { currency: 'USD', units: 3 },
    ])
    const price = { query_type: 'price', ...MAY }
    expect((await engine.query('units', price)).data).toBe(3039.36)
    expect((await engine.query('units', price, { filters: { currency: 'EUR' } })).data).toBe(2400)
  })

  it('answers over HTTP', async () => {
    const response = await app.request('/api/metrics/units/price?start=2025-05-01&end=2025-05-31&format=csv')
    expect(await response.text()).toBe('mrr_per_unit\r\n3039.36\r\n')
  })

  it('has its commands', async () => {
    const { metricCommands } = await copy.load<Commands>('src/facades/cli/commands/metrics.ts')
    const [units, ...others] = metricCommands(metric)
    expect(others).toEqual([])
    expect(units).toMatchObject({
      name: 'units',
      description: 'Units at the end of the range',
      dates: expect.stringMatching(/^Without dates: the last 12 months\./),
    })
    expect(units?.options).toEqual([
      ...['start', 'end', 'range', 'last', 'ytd', 'order', 'limit', 'offset', 'rest', 'compare-to'],
      ...['dimension', 'filter', 'granularity', 'segment', 'compare', 'money', 'definitions', 'explain'],
    ])
    expect(units?.subCommands).toMatchObject([{ name: 'units price', description: 'MRR per unit' }])
  })
})
