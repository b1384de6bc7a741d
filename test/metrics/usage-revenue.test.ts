import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const RANGE = { start: '2025-01-01', end: '2025-05-31' }

everyEngine('usage revenue of the worked example (definitions.md 17)', (target) => {
  let engineAt: (now: string) => Promise<Engine>
  beforeAll(async () => {
    const { database } = await fillDatabase(target, readExample('worked-example').given)
    const store = await ratesOnly('date,from,to,rate\n')
    engineAt = (now) => engineOver(database, { now: new Date(`${now}T00:00:00Z`), store })
  })
  type Given = Record<string, unknown>
  const query = async (params: Given, spec: Given = {}, now = '2025-06-05') =>
    (await engineAt(now)).query('usage_revenue', params, spec)
  const ask = async (...request: Parameters<typeof query>): Promise<unknown> => (await query(...request)).data

  it('counts on the first day of service, only what is paid by now (D59, I20)', async () => {
    expect(await ask(RANGE)).toBe(3300)
    expect(await ask({ start: '2025-01-02', end: '2025-03-01' })).toBe(900 + 1500)
    expect(await ask(RANGE, {}, '2025-03-04')).toBe(600 + 900)
    expect(await ask({ ...RANGE, granularity: 'quarter' })).toEqual([
      { period: '2025-01-01', revenue: 3000 },
      { period: '2025-04-01', revenue: 300, is_partial: true },
    ])
  })

  it('by customer, by plan and both (D61, I15)', async () => {
    const [row, ...more] = (await ask({ query_type: 'by_customer', ...RANGE })) as Given[]
    expect([more, row]).toEqual([[], { customer_id: expect.any(String), customer_name: 'Customer E', revenue: 3300 }])
    expect(await ask(RANGE, { dimensions: ['plan_id', 'usage_type', 'plan_interval'] })).toEqual([
      { plan_id: 'meter', usage_type: 'metered', plan_interval: 'month', revenue: 3300 },
    ])
    const months = { query_type: 'by_customer', start: '2025-04-01', end: '2025-05-31', granularity: 'month' }
    expect(await ask(months, { dimensions: ['plan_id', 'customer_name'] })).toEqual([
      { period: '2025-04-01', customer_id: expect.any(String), customer_name: 'Customer E', plan_id: 'meter', revenue: 300 },
    ])
  })

  it('the month of service is a filter (D55)', async () => {
    expect(await ask(RANGE, { filters: { period_start: ['2025-02-01', '2025-04-01'] } })).toBe(900 + 300)
    expect(await ask(RANGE, { filters: { period_start: { '<': '2025-02-01' }, plan_id: 'meter' } })).toBe(600)
  })

  it('nothing is 0, and groups of nothing are absent', async () => {
    const may = { start: '2025-05-01', end: '2025-05-31' }
    expect(await ask(may)).toBe(0)
    expect(await ask(may, { dimensions: ['customer_id'] })).toEqual([])
    expect(await ask({ query_type: 'by_customer', ...may })).toEqual([])
    expect(await ask(RANGE, { filters: { plan_id: 'team' } })).toBe(0)
  })

  it('a range that has not begun is empty, one that reaches past now is clamped (D3)', async () => {
    const future = { start: '2026-01-01', end: '2026-03-31' }
    const { data, meta } = await query(future)
    expect([data, meta.warnings.map(({ code }) => code)]).toEqual([0, ['future_clamped']])
    expect(await ask({ query_type: 'series', ...future })).toEqual([])
    expect(await ask({ query_type: 'by_customer', ...future })).toEqual([])
    const open = (await ask({ query_type: 'series', start: '2025-05-01', end: '2025-12-31' })) as Given[]
    expect(open.map((row) => row['period'])).toEqual(['2025-05-01', '2025-06-01'])
  })

  it('says everything that is wrong at once, and what is offered (http-api 1.4)', async () => {
    const wrong = { dimensions: ['movement_type'], filters: { paid_at: '2025-01-01', period_start: 'soon' } }
    await expect(ask(RANGE, wrong)).rejects.toMatchObject({
      context: { available_filters: expect.arrayContaining(['period_start', 'customer.city']) },
      issues: expect.arrayContaining([
        expect.objectContaining({ code: 'unknown_dimension', value: 'movement_type' }),
        expect.objectContaining({ code: 'unknown_filter', value: 'paid_at' }),
        expect.objectContaining({ code: 'invalid_value', value: 'soon' }),
      ]),
    })
    await expect(ask({ query_type: 'series', start: '2025-01-01' })).rejects.toMatchObject({
      code: 'invalid_range',
      context: { missing: ['end'] },
    })
  })

  it('offers what http-api.md 4 says', async () => {
    const { dimensions, time_dimensions, query_types } = (await (await engineAt('2025-06-05')).fields('usage_revenue')).data
    expect(query_types).toEqual(['by_customer', 'series', 'total'])
    expect(time_dimensions).toEqual([{ key: 'period_start', label: 'Period start' }])
    const trials = (await (await engineAt('2025-06-05')).fields('trials')).data
    const shared = trials.dimensions.map(({ key }) => key).filter((key) => key !== 'days_to_convert')
    const offered = [...shared, 'currency'].sort()
    expect(dimensions.map(({ key }) => key)).toEqual(offered)
  })
})
