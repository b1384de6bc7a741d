import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Store } from '../../src/ports/store.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { cacheOver, engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')
const MAY = new Date('2025-05-05T00:00:00Z')

type Params = Record<string, unknown>

everyEngine('a forecast of the worked example (definitions.md 17, D80)', (target) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    store = await ratesOnly(readFileSync(RATES, 'utf8'))
    database = (await fillDatabase(target, readExample('worked-example').given)).database
  })
  const engineAt = (now: Date): Promise<Engine> => engineOver(database, { now, store })
  const ask = async (now: Date, params: Params, spec: Params = {}) =>
    (await engineAt(now)).query('mrr', { forecast: 'true', ...params }, spec)
  const dataOf = async (now: Date, params: Params, spec: Params = {}) => (await ask(now, params, spec)).data

  // On 5 May: 83.33 + 79.00 + 160.00 EUR at 1.20 + 10.00 and 9.00 usage. The cancellation of S2 takes effect on 24 May; it was requested on
  // 2 May. S7 begins on 15 May, but nobody knows it yet.
  it('counts the scheduled cancellation of S2 from its day on, and not what nobody knows yet', async () => {
    expect(await dataOf(MAY, { at: '2025-05-23' })).toBe(37333)
    expect(await dataOf(MAY, { at: '2025-05-24' })).toBe(29433)
    expect(await dataOf(MAY, { at: '2026-12-31' })).toBe(29433)
    expect((await (await engineAt(new Date('2025-06-05T00:00:00Z'))).query('mrr', { at: '2025-05-31' })).data).toBe(33433)
  })

  it('knows the values of a subscription that begins later, in filters too', async () => {
    const { given } = readExample('worked-example')
    // S7, as if a new customer had ordered it on 2 May.
    const [customer] = (given['accounts'] ?? []).filter(({ record_id }) => record_id === 6)
    const account_id = '00000002-0000-4000-8000-000000000060'
    const moved = (row: Row): Row => ({
      ...row,
      ...('account_id' in row ? { account_id } : {}),
      account_record_id: 60,
      created_date: '2025-05-02 12:00:00',
    })
    const PLANNED = ['bundles', 'subscriptions', 'subscription_events', 'blocking_states']
    const tables = Object.fromEntries(
      Object.entries(given).map(([name, rows]) => [
        name,
        PLANNED.includes(name) ? rows.map((row) => (row['created_date'] === '2025-05-15 12:00:00' ? moved(row) : row)) : rows,
      ]),
    )
    tables['accounts'] = [...(given['accounts'] ?? []), { ...customer, record_id: 60, id: account_id, external_key: 'planned' }]
    const planned = (await fillDatabase(target, tables)).database
    const engine = await engineOver(planned, { now: MAY, store })
    const filters = { plan_id: 'lite', cohort_month: '2025-05-01' }
    const ask = (params: Params) => engine.query('mrr', params, { filters })
    const unknown = ({ meta }: Awaited<ReturnType<typeof ask>>) => meta.warnings.filter(({ code }) => code === 'unknown_value')
    const ahead = await ask({ at: '2025-05-31', forecast: 'true' })
    expect([ahead.data, unknown(ahead)]).toEqual([4000, []])
    const today = await ask({})
    expect([today.data, unknown(today)]).toMatchObject([0, [{ message: 'No row has cohort_month=2025-05-01.' }]])
  })

  it('marks the periods that count what lies after now, and says what it assumes', async () => {
    const series = await ask(MAY, { query_type: 'series', start: '2025-04-01', end: '2025-07-31' })
    expect(series.data).toEqual([
      { period: '2025-04-01', mrr: 37433, amount_base: 8450 },
      { period: '2025-05-01', mrr: 29433, amount_base: -8000, is_forecast: true },
      { period: '2025-06-01', mrr: 29433, amount_base: 0, is_forecast: true },
      { period: '2025-07-01', mrr: 29433, amount_base: 0, is_forecast: true },
    ])
    expect(series.columns).toEqual(['period', 'mrr', 'amount_base', 'is_partial', 'is_forecast'])
    expect(series.meta.warnings).toMatchObject([
      { code: 'forecast', message: expect.stringMatching(/^After 2025-05-05, only what .* Usage stays at its last value/) },
    ])
  })

  it('without a date counts the rest of today', async () => {
    const cancelled = new Date('2025-05-24T00:00:00Z')
    expect((await (await engineAt(cancelled)).query('mrr')).data).toBe(41333)
    expect(await dataOf(cancelled, {})).toBe(33433)
  })

  it('components, ARR, breakdown and waterfall follow the same rows', async () => {
    expect(await dataOf(MAY, { query_type: 'components', at: '2025-05-31' })).toEqual({
      subscription_mrr: 28533,
      usage_mrr: 900,
      mrr: 29433,
      is_forecast: true,
    })
    expect(await dataOf(MAY, { query_type: 'arr', at: '2025-05-31' })).toBe(12 * 29433)
    const flows = await dataOf(MAY, { query_type: 'breakdown', range: 'next-1-month' }, { dimensions: ['plan_id'] })
    expect(flows).toEqual([])
    const breakdown = (await dataOf(MAY, { query_type: 'breakdown', start: '2025-05-05', end: '2025-05-31' })) as Params[]
    expect(breakdown.filter(({ event_count }) => event_count !== 0)).toEqual([
      { movement_type: 'churn', amount_base: -7900, event_count: 1, is_forecast: true },
    ])
    expect(await dataOf(MAY, { query_type: 'waterfall', start: '2025-05-01', end: '2025-05-31' })).toEqual([
      {
        month: '2025-05-01',
        period: '2025-05-01',
        starting_mrr: 37433,
        new: 0,
        expansion: 0,
        contraction: -100,
        churn: -7900,
        reactivation: 0,
        transfer: 0,
        fx_effect: 0,
        net_change: -8000,
        ending_mrr: 29433,
        is_forecast: true,
      },
    ])
  })

  it('groups, filters, orders and pages, and the rows behind a number add up to it', async () => {
    const spec = { dimensions: ['plan_id'] }
    expect(await dataOf(MAY, { at: '2025-05-31', order: '-mrr', limit: '1', rest: 'true' }, spec)).toEqual([
      { is_rest: false, plan_id: 'seat', mrr: 19200, is_forecast: true },
      { is_rest: true, plan_id: null, mrr: 10233, is_forecast: true },
    ])
    const pending = { dimensions: ['pending_cancellation'] }
    expect(await dataOf(MAY, { at: '2025-05-10' }, pending)).toEqual([
      { pending_cancellation: false, mrr: 29433, is_forecast: true },
      { pending_cancellation: true, mrr: 7900, is_forecast: true },
    ])
    const cell = { query_type: 'waterfall', start: '2025-05-01', end: '2025-06-30', period: '2025-05-01', measure: 'churn' }
    const { data } = await (await engineAt(MAY)).metricRows('mrr', { forecast: 'true', ...cell })
    expect(data).toMatchObject({
      total: 1,
      sum: -7900,
      rows: [{ customer_name: 'Customer B', movement_type: 'churn', occurred_at: '2025-05-24T12:00:00.000Z' }],
    })
  })

  it('is compared with an earlier time, also one to come', async () => {
    expect(await dataOf(MAY, { range: 'next-month', query_type: 'series', compare_to: 'previous' })).toEqual([
      {
        period: '2025-06-01',
        mrr: 29433,
        previous_mrr: 29433,
        change_mrr: 0,
        amount_base: 0,
        previous_amount_base: -8000,
        change_amount_base: 8000,
        is_forecast: true,
      },
    ])
  })

  it('is the answer without a forecast up to now', async () => {
    const engine = await engineAt(MAY)
    for (const params of [{ at: '2025-04-30' }, { start: '2025-01-01', end: '2025-05-04', interval: 'week' }]) {
      const plain = await engine.query('mrr', params)
      const ahead = await engine.query('mrr', { ...params, forecast: 'true' })
      expect(ahead.data).toEqual(plain.data)
      expect(ahead.meta.warnings).toEqual([])
    }
  })

  it('is read from the billing database, also beside a filled cache', async () => {
    const cached = await engineOver(database, {
      now: MAY,
      store,
      cache: (executor, connector, definitions, clock) => cacheOver(executor, connector, { clock, definitions }),
    })
    const sources: string[] = []
    const onOrigin = ({ source }: { readonly source: string }) => void sources.push(source)
    expect((await cached.query('mrr', { at: '2025-05-31' }, {}, { onOrigin })).data).toBe(37333)
    expect((await cached.query('mrr', { at: '2025-05-31', forecast: 'true' }, {}, { onOrigin })).data).toBe(29433)
    expect(sources).toEqual(['cache', 'replica'])
  })

  describe('refuses', () => {
    it.each([
      ['a day beyond five years', { at: '2030-05-06' }, 'params.at', 'A forecast goes up to 2030-05-05, five years'],
      ['a range beyond them', { query_type: 'series', start: '2025-05-01', end: '2031-01-01' }, 'params.end', 'up to 2030-05-05'],
      ['a named range beyond them', { query_type: 'series', range: 'next-9999-years' }, 'params.range', 'up to 2030-05-05'],
      [
        'a query without one',
        { query_type: 'why', start: '2025-05-01', end: '2025-05-31' },
        'params.forecast',
        'does not work on',
      ],
      ['another word than true and false', { forecast: 'maybe' }, 'params.forecast', 'true'],
    ])('%s', async (_, params, where, message) => {
      await expect(ask(MAY, params)).rejects.toMatchObject({
        issues: [{ where, message: expect.stringContaining(message) }],
      })
    })

    it('a range of days to come without forecast', async () => {
      const engine = await engineAt(MAY)
      await expect(engine.query('mrr', { range: 'next-month' })).rejects.toMatchObject({
        issues: [{ code: 'invalid_range', where: 'params.range', message: expect.stringContaining('add forecast=true') }],
      })
    })

    it('a range of days to come on the summary, also with forecast', async () => {
      const engine = await engineAt(MAY)
      await expect(engine.summary({ range: 'next-month', forecast: 'true' })).rejects.toMatchObject({
        issues: [
          { code: 'invalid_range', where: 'params.range', message: expect.stringMatching(/end today.*leave out the range/) },
        ],
      })
    })
  })

  it('reaches the last day of five years', async () => {
    expect(await dataOf(MAY, { at: '2030-05-05' })).toBe(29433)
  })
})
