import { expect, it } from 'vitest'
import { exampleConnector, SPANS, span } from '../support/data/worked-example.ts'
import { dataOf, describeExample } from '../support/product/example-engine.ts'

const RANGE = { start: '2025-03-01', end: '2025-05-31' }
const BREAKDOWN = { query_type: 'breakdown', ...RANGE }
const WATERFALL = { query_type: 'waterfall', ...RANGE }
const NOTHING = { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0, transfer: 0, fx_effect: 0 }

describeExample('MRR movements of the worked example', (engineOf) => {
  it('waterfall months chain and close', async () => {
    const month = (period: string, rest: Record<string, number>) => ({ month: period, period, ...NOTHING, ...rest })
    expect(await dataOf(engineOf(), WATERFALL)).toEqual([
      month('2025-03-01', { starting_mrr: 28833, expansion: 5150, churn: -5000, net_change: 150, ending_mrr: 28983 }),
      month('2025-04-01', {
        starting_mrr: 28983,
        expansion: 8450,
        churn: -5000,
        reactivation: 5000,
        net_change: 8450,
        ending_mrr: 37433,
      }),
      month('2025-05-01', {
        starting_mrr: 37433,
        contraction: -100,
        churn: -7900,
        reactivation: 4000,
        net_change: -4000,
        ending_mrr: 33433,
      }),
    ])
  })

  it('row keys have the order of the contract', async () => {
    const answer = await engineOf().query('mrr', WATERFALL, { dimensions: ['currency', 'plan_interval'] })
    const columns = [
      'month',
      'period',
      'currency',
      'plan_interval',
      'starting_mrr',
      'new',
      'expansion',
      'contraction',
      'churn',
      'reactivation',
      'transfer',
      'fx_effect',
      'net_change',
      'ending_mrr',
    ]
    expect(answer.columns).toEqual([...columns, 'is_partial'])
    expect(Object.keys((answer.data as Record<string, unknown>[])[0] ?? {})).toEqual(columns)
  })

  it('a movement exactly at the start is in the range', async () => {
    expect(await dataOf(engineOf(), { query_type: 'breakdown', start: '2025-03-20', end: '2025-03-20' })).toContainEqual({
      movement_type: 'churn',
      amount_base: -5000,
      event_count: 1,
    })
  })

  it('a plan switch is an expansion of the new plan and a transfer between the two', async () => {
    const rows = await dataOf(
      engineOf(),
      { query_type: 'breakdown', start: '2025-03-01', end: '2025-03-31' },
      { dimensions: ['plan_id'] },
    )
    expect(rows).toEqual([
      { movement_type: 'expansion', plan_id: 'business', amount_base: 5000, event_count: 1 },
      { movement_type: 'expansion', plan_id: 'meter', amount_base: 150, event_count: 1 },
      { movement_type: 'churn', plan_id: 'plus', amount_base: -5000, event_count: 1 },
      { movement_type: 'transfer', plan_id: 'business', amount_base: 2900, event_count: 0 },
      { movement_type: 'transfer', plan_id: 'team', amount_base: -2900, event_count: 0 },
    ])
  })

  it('a filter by plan shows the transfer in its waterfall', async () => {
    const month = { query_type: 'waterfall', start: '2025-03-01', end: '2025-03-31' }
    expect(await dataOf(engineOf(), month, { filters: { plan_id: 'business' } })).toEqual([
      {
        month: '2025-03-01',
        period: '2025-03-01',
        ...NOTHING,
        starting_mrr: 0,
        expansion: 5000,
        transfer: 2900,
        net_change: 7900,
        ending_mrr: 7900,
      },
    ])
  })

  it('a filter on the instant narrows movements and leaves transfers out', async () => {
    const spec = { dimensions: ['plan_id'], filters: { occurred_at: { between: ['2025-03-20', '2025-03-24'] } } }
    expect(await dataOf(engineOf(), BREAKDOWN, spec)).toEqual([
      { movement_type: 'expansion', plan_id: 'business', amount_base: 5000, event_count: 1 },
      { movement_type: 'churn', plan_id: 'plus', amount_base: -5000, event_count: 1 },
    ])
  })

  it('granularity gives every period every type, with dimensions every pair that occurs', async () => {
    const plain = (await dataOf(engineOf(), BREAKDOWN, { granularity: 'month' })) as unknown[]
    expect(plain).toHaveLength(15)
    expect(plain[6]).toEqual({ period: '2025-04-01', movement_type: 'expansion', amount_base: 8450, event_count: 2 })
    expect(
      await dataOf(engineOf(), BREAKDOWN, { granularity: 'month', dimensions: ['currency'], filters: { currency: 'EUR' } }),
    ).toEqual([
      { period: '2025-03-01', movement_type: 'expansion', currency: 'EUR', amount_base: 0, event_count: 0 },
      { period: '2025-04-01', movement_type: 'expansion', currency: 'EUR', amount_base: 6000, event_count: 1 },
      { period: '2025-05-01', movement_type: 'expansion', currency: 'EUR', amount_base: 0, event_count: 0 },
    ])
  })

  it('movement_type as a dimension changes nothing, as a filter it picks the row', async () => {
    expect(await dataOf(engineOf(), BREAKDOWN, { dimensions: ['movement_type'] })).toEqual(await dataOf(engineOf(), BREAKDOWN))
    expect(await dataOf(engineOf(), BREAKDOWN, { filters: { movement_type: ['churn', 'new'] } })).toEqual([
      { movement_type: 'new', amount_base: 0, event_count: 0 },
      { movement_type: 'churn', amount_base: -17900, event_count: 3 },
    ])
  })

  it('the waterfall by band reads the base MRR of the side that counts', async () => {
    const rows = (await dataOf(
      engineOf(),
      { query_type: 'waterfall', start: '2025-04-01', end: '2025-05-31', interval: 'year' },
      { dimensions: ['mrr_band'] },
    )) as Record<string, unknown>[]
    expect(rows.map(({ mrr_band, expansion, churn, transfer }) => ({ mrr_band, expansion, churn, transfer }))).toEqual([
      { mrr_band: '$100-$500', expansion: 8200, churn: 0, transfer: 0 },
      { mrr_band: '<$100', expansion: 250, churn: -12900, transfer: 0 },
    ])
  })

  it('transfers of all groups add up to nothing, and every group closes', async () => {
    const rows = (await dataOf(
      engineOf(),
      { ...WATERFALL, interval: 'week' },
      { dimensions: ['tenure_months', 'plan_id'] },
    )) as Record<string, number>[]
    const byPeriod = new Map<unknown, number>()
    for (const row of rows) {
      byPeriod.set(row['period'], (byPeriod.get(row['period']) ?? 0) + (row['transfer'] ?? 0))
      expect((row['starting_mrr'] ?? 0) + (row['net_change'] ?? 0)).toBe(row['ending_mrr'])
    }
    expect(rows.some((row) => row['transfer'] !== 0)).toBe(true)
    expect([...byPeriod.values()].every((sum) => sum === 0)).toBe(true)
  })

  it('a swap of the same line is one expansion, judged at the side that begins', async () => {
    const spans = [
      span('S1', 1, '2025-01-05', '2025-02-05', 6, { subscription_mrr_cents: 5000, end_reason: 'cancel' }),
      { ...span('S1b', 1, '2025-02-05', null, 7, { subscription_mrr_cents: 8000 }) },
    ]
    const engine = engineOf({ connector: exampleConnector({ spans, sameLine: ['S1', 'S1b'] }) })
    expect(await dataOf(engine, { query_type: 'breakdown', start: '2025-02-01', end: '2025-02-28' })).toContainEqual({
      movement_type: 'expansion',
      amount_base: 3000,
      event_count: 2,
    })
  })

  it('a base amount may fall while the original grows', async () => {
    const cheap = span('S3', 3, '2025-04-01', null, 4, { currency: 'EUR', subscription_mrr_cents: 10001 })
    const rates = [
      { date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.1' },
      { date: '2025-04-01', from: 'EUR', to: 'USD', rate: '0.9' },
    ]
    const spans = [...SPANS.filter((row) => row['subscription_id'] !== 'S3'), SPANS[4] ?? {}, cheap]
    expect(
      await dataOf(
        engineOf({ connector: exampleConnector({ spans, rates }) }),
        { ...BREAKDOWN },
        { filters: { customer_id: 'C' } },
      ),
    ).toContainEqual({
      movement_type: 'expansion',
      amount_base: -1999,
      event_count: 1,
    })
  })
})
