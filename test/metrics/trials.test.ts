import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const RANGE = { start: '2025-01-01', end: '2025-05-31' }
const NOTHING = { started: 0, converted: 0, expired: 0, pending: 0, conversion_rate: null, decided_conversion_rate: null }
const CONVERTED = { conversion_rate: 1, decided_conversion_rate: 1, started: 1, converted: 1, expired: 0 }
const EXPIRED = { conversion_rate: 0, decided_conversion_rate: 0, started: 1, converted: 0, expired: 1 }

everyEngine('trials of the worked example (definitions.md 17)', (target) => {
  let engineAt: (now: string) => Promise<Engine>
  beforeAll(async () => {
    const { database } = await fillDatabase(target, readExample('worked-example').given)
    const store = await ratesOnly('date,from,to,rate\n')
    engineAt = (now) => engineOver(database, { now: new Date(`${now}T00:00:00Z`), store })
  })
  type Given = Record<string, unknown>
  const query = async (params: Given, spec: Given = {}, now = '2025-06-05') => (await engineAt(now)).query('trials', params, spec)
  const ask = async (...request: Parameters<typeof query>): Promise<unknown> => (await query(...request)).data

  it('one of two trials converted, and no rate is needed for it (D56, D58)', async () => {
    expect(await ask(RANGE)).toBe(0.5)
    expect(await ask({ query_type: 'funnel', ...RANGE })).toEqual({
      started: 2,
      converted: 1,
      expired: 1,
      pending: 0,
      conversion_rate: 0.5,
      decided_conversion_rate: 0.5,
    })
    expect(await ask(RANGE, { dimensions: ['plan_id', 'customer_name'] })).toEqual([
      { plan_id: 'team', customer_name: 'Customer B', ...CONVERTED },
      { plan_id: 'team', customer_name: 'Customer D', ...EXPIRED },
    ])
  })

  it('a trial is pending until its outcome, and the outcome is that of now (I20)', async () => {
    const january = { query_type: 'funnel', start: '2025-01-01', end: '2025-01-31' }
    expect(await ask(january, {}, '2025-01-20')).toEqual({ ...NOTHING, started: 1, pending: 1, conversion_rate: 0 })
    expect(await ask(january, {}, '2025-03-01')).toEqual({ ...NOTHING, ...CONVERTED })
    const february = { start: '2025-02-01', end: '2025-02-28', query_type: 'funnel' }
    expect(await ask(february, {}, '2025-02-25')).toEqual({ ...NOTHING, started: 1, pending: 1, conversion_rate: 0 })
    expect(await ask(february)).toEqual({ ...NOTHING, ...EXPIRED })
  })

  it('a customer that never became live is in no cohort (D47)', async () => {
    expect(await ask(RANGE, { dimensions: ['cohort_month'] })).toEqual([
      { cohort_month: '2025-01-01', ...CONVERTED },
      { cohort_month: null, ...EXPIRED },
    ])
  })

  it('the cohort is also known where the customer became live after the range', async () => {
    const beforeConversion = { start: '2025-01-10', end: '2025-01-12' }
    expect(await ask(beforeConversion, { dimensions: ['cohort_month'] })).toEqual([{ cohort_month: '2025-01-01', ...CONVERTED }])
  })

  it('nothing begun is a null rate, and a series of gaps (I13)', async () => {
    const march = { start: '2025-03-01', end: '2025-03-31' }
    expect(await ask(march)).toBeNull()
    expect(await ask({ query_type: 'funnel', ...march })).toEqual(NOTHING)
    expect(await ask(march, { dimensions: ['plan_id'] })).toEqual([])
    expect(await ask({ query_type: 'funnel', ...march, granularity: 'quarter' })).toEqual([{ period: '2025-01-01', ...NOTHING }])
    expect(await ask({ query_type: 'series', start: '2025-03-30', end: '2025-04-02', interval: 'day' })).toEqual(
      ['2025-03-30', '2025-03-31', '2025-04-01', '2025-04-02'].map((period) => ({ period, ...NOTHING })),
    )
  })

  it('groups are filled in every period in which they have nothing', async () => {
    const months = { query_type: 'series', start: '2025-01-01', end: '2025-02-28' }
    expect(await ask(months, { dimensions: ['customer_name'] })).toEqual([
      { period: '2025-01-01', customer_name: 'Customer B', ...NOTHING, ...CONVERTED },
      { period: '2025-01-01', customer_name: 'Customer D', ...NOTHING },
      { period: '2025-02-01', customer_name: 'Customer B', ...NOTHING },
      { period: '2025-02-01', customer_name: 'Customer D', ...NOTHING, ...EXPIRED },
    ])
  })

  it('filters on instants narrow the trials, customers too (http-api 1.5)', async () => {
    const funnel = { query_type: 'funnel', ...RANGE }
    const converted = { ...NOTHING, ...CONVERTED }
    expect(await ask(funnel, { filters: { converted_at: '2025-01-24' } })).toEqual(converted)
    expect(await ask(funnel, { filters: { expired_at: { is_empty: true } } })).toEqual(converted)
    expect(await ask(funnel, { filters: { started_at: { '<': '2025-02-01' } } })).toEqual(converted)
    expect(await ask(funnel, { filters: { 'customer.name': { contains: 'b' } } })).toEqual(converted)
    expect(await ask(RANGE, { filters: { plan_id: 'business' } })).toBeNull()
  })

  it('a range that has not begun is empty (D3)', async () => {
    const future = { start: '2026-01-01', end: '2026-03-31' }
    const { data, meta } = await query({ query_type: 'funnel', ...future })
    expect(data).toEqual(NOTHING)
    expect(meta.warnings.map(({ code }) => code)).toEqual(['future_clamped'])
    expect(await ask(future)).toBeNull()
    expect(await ask({ query_type: 'series', ...future })).toEqual([])
  })

  it('says everything that is wrong at once, and what is offered (http-api 1.4)', async () => {
    const wrong = ask(
      { query_type: 'funnel', start: '2025-01-01' },
      { dimensions: ['phase_type'], filters: { mrr_band: 'Free' } },
    )
    await expect(wrong).rejects.toMatchObject({
      context: {
        available_dimensions: expect.arrayContaining(['plan_interval', 'tenure_months']),
        available_filters: expect.arrayContaining(['converted_at', 'customer.city']),
      },
      issues: expect.arrayContaining([
        expect.objectContaining({ code: 'invalid_range' }),
        expect.objectContaining({ code: 'unknown_dimension', value: 'phase_type' }),
        expect.objectContaining({ code: 'unknown_filter', value: 'mrr_band' }),
      ]),
    })
    await expect(ask({ query_type: 'funel', ...RANGE })).rejects.toMatchObject({ code: 'invalid_value' })
  })

  it('offers what http-api.md 4 says, by every query', async () => {
    const { dimensions, time_dimensions, query_types } = (await (await engineAt('2025-06-05')).fields('trials')).data
    expect(query_types).toEqual(['conversion_rate', 'funnel', 'series', 'time_to_convert'])
    expect(time_dimensions.map(({ key }) => key)).toEqual(['converted_at', 'expired_at', 'started_at'])
    expect(dimensions.map(({ key }) => key)).toEqual(OFFERED)
    for (const { key, queries } of dimensions)
      expect(queries, key).toEqual(key === 'days_to_convert' ? ['time_to_convert'] : query_types)
  })
})

const OFFERED = [
  'billing_period',
  'bundle_id',
  'cohort_month',
  'collection_method',
  'customer_country',
  'customer_created_month',
  'customer_id',
  'customer_name',
  'days_to_convert',
  'plan_id',
  'plan_interval',
  'plan_name',
  'price_list',
  'pricing_model',
  'product_category',
  'product_name',
  'source',
  'source_id',
  'tenant',
  'tenure_months',
  'usage_type',
]
