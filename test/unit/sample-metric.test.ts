import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METRIC_NAMES } from '../../src/engine/catalog-of-metrics.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { copyProduct, type ProductCopy } from '../support/product-copy.ts'

type Example = typeof import('../support/example-engine.ts')
type Targets = typeof import('../support/targets.ts')
type Http = typeof import('../../src/http/app.ts')
type Registry = typeof import('../../src/metrics/registry.ts')

const MAY = { start: '2025-05-01', end: '2025-05-31' }

const UNITS_SQL = `-- metric: units
-- query:  total
-- reads:  mrr_span
-- param:  at timestamp
-- Units of the subscriptions that are live just before :at.
with measure as (
  select fact.currency as fact_currency, fact.quantity /*{dimensions}*/
  from relation.mrr_span as fact
  /*{joins}*/
  where fact.is_live = true and fact.valid_from < :at and (fact.valid_to is null or fact.valid_to >= :at)
  /*{filters}*/
)
select fact_currency, sum(quantity) as unit_sum /*{dimension_names}*/
from measure
group by fact_currency /*{group_by}*/
`

const UNITS = `import * as z from 'zod'
import { sql } from '../../compiler/fragment.ts'
import { ratio } from '../../core/money.ts'
import { dimensionValue, integerCell } from '../../query/cells.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { defineMetric, type MetricContext, type MetricResult } from '../define-metric.ts'
import { periodResult } from '../period-rows.ts'
import { defineRoute } from '../routes.ts'

const OFFER = {
  dates: 'range', step: 'none', dimensions: [...SOURCE_DIMENSIONS, CURRENCY_DIMENSION], series_dimensions: [],
  key_columns: [], can_group: true, time_fields: [], filter_fields: [], own_parameters: [],
} as const

async function groupsOf(context: MetricContext) {
  const { dimensions, conditions } = context.request
  const { from, to } = rangeTime(context.request)
  const fact = { fact: 'level', instant: sql\`fact.valid_from\`, isBefore: sql\`1 = 0\`, connector: context.connector, allowUnpriced: false } as const
  const { slots } = compileScope(dimensions, conditions, fact)
  const rows = await context.run({ template: 'units/total', slots, params: { at: to }, window: { from, to } })
  return rows.map((row) => ({
    values: dimensions.map((field) => dimensionValue(row, field)),
    units: integerCell(row, 'unit_sum'),
  }))
}

async function answerTotal(context: MetricContext): Promise<MetricResult> {
  const groups = await groupsOf(context)
  const all = [{ values: [], units: groups.reduce((sum, { units }) => sum + units, 0) }]
  const shown = context.request.dimensions.length === 0 ? all : groups
  return periodResult(context, undefined, { scalar: 'units', measures: ['units'] }, shown.map(({ values, units }) => ({ values, measures: [{ units }] })))
}

async function answerPrice(context: MetricContext): Promise<MetricResult> {
  const units = (await groupsOf(context)).reduce((sum, group) => sum + group.units, 0)
  const mrr = await context.ask('mrr', { query_type: 'current', at: rangeTime(context.request).end })
  return { kind: 'scalar', field: 'mrr_per_unit', value: mrr.kind === 'scalar' && mrr.value !== null ? ratio(mrr.value, units) : null }
}

export const metric = defineMetric({
  name: 'units',
  summary: 'Units of live subscriptions at the end of a range',
  depends_on: ['mrr'],
  reads: ['mrr_span'],
  time_fields: [],
  queries: {
    total: { summary: 'Units', offer: OFFER, plain: z.number(), row: z.object({ units: z.number().describe('Units.') }), run: answerTotal },
    price: {
      summary: 'MRR per unit', offer: { ...OFFER, can_group: false }, plain: z.number().nullable(),
      row: z.object({ mrr_per_unit: z.number().nullable().describe('MRR per unit.') }), run: answerPrice,
    },
  },
  choose: (query_type) => query_type ?? 'total',
  routes: [defineRoute('units', undefined, 'Units', OFFER), defineRoute('units/price', 'price', 'MRR per unit', OFFER)],
  docs: { formula: 'sum of quantities', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: 11 } },
})
`

const ring = (name: string, next: string) => `import { defineMetric } from '../define-metric.ts'
export const metric = defineMetric({
  name: '${name}', summary: '', depends_on: ['${next}'], reads: [], time_fields: [], queries: {}, choose: () => '', routes: [],
  docs: { formula: '', assumptions: [], edge_cases: [], example: { text: '', params: {}, answer: null } },
})
`

describe('a metric is a folder of code and a folder of SQL', () => {
  let copy: ProductCopy
  let engine: Engine
  let app: ReturnType<Http['createApp']>
  let close: () => Promise<void>
  beforeAll(async () => {
    copy = await copyProduct({ 'src/metrics/units/index.ts': UNITS, 'sql/metrics/units/total.sql': UNITS_SQL })
    const { exampleEngine } = await copy.load<Example>('test/support/example-engine.ts')
    const { targets } = await copy.load<Targets>('test/support/targets.ts')
    const database = await targets()
      .find(({ name }) => name === 'pglite')
      ?.createDatabase()
    if (database === undefined) throw new Error('PGlite is always at hand')
    close = () => database.drop()
    engine = exampleEngine(database.executor())
    const { createApp } = await copy.load<Http>('src/http/app.ts')
    app = createApp({ engine, version: '1', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
  })
  afterAll(async () => {
    await close()
    await copy.remove()
  })
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
      available_dimensions: ['currency', 'source', 'source_id'],
    })
  })

  it('shows in discovery and in the documents', async () => {
    expect(await get('/api/metrics')).toEqual([...METRIC_NAMES, 'units'].sort())
    expect(await get('/api/metrics/units/fields')).toMatchObject({ query_types: ['price', 'total'] })
    const { paths } = (await get('/openapi.json')) as { paths: Record<string, unknown> }
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/metrics/units', '/api/metrics/units/price']))
  })
})

it('metrics that depend on each other stop the start, and the message is their path', async () => {
  const copy = await copyProduct({
    'src/metrics/first/index.ts': ring('first', 'second'),
    'src/metrics/second/index.ts': ring('second', 'third'),
    'src/metrics/third/index.ts': ring('third', 'first'),
  })
  const { discoverMetrics } = await copy.load<Registry>('src/metrics/registry.ts')
  await expect(discoverMetrics()).rejects.toThrow('first -> second -> third -> first')
  await copy.remove()
})
