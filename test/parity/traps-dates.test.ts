import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { figuresOf } from '../support/product/range-figures.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

const TWO_CUSTOMERS = {
  accounts: { A: {}, B: {} },
  subscriptions: { S1: held('gold', '2025-01-10'), S2: { account: 'B', ...held('silver', '2025-01-10', '2025-03-05') } },
}

const SCENARIOS = {
  'midnight to midnight': trap({ subscriptions: { S: held('gold', '2025-02-01', '2025-03-01') } }),
  'last seconds': trap({ subscriptions: { S: held('gold', '2025-01-31 23:59:59', '2025-02-28 23:59:59') } }),
  'a leap day': trap({ subscriptions: { S: held('gold', '2024-01-31', '2024-02-29 23:59:59') } }),
  'whole months': trap(TWO_CUSTOMERS),
  'the current second': trap({
    subscriptions: {
      S1: held('gold', '2025-03-10 08:00:00.7'),
      S2: held('silver', '2025-03-10 08:00:01'),
      S3: held('gold', '2025-03-01', '2025-03-10 08:00:00.999999'),
    },
    now: '2025-03-10 08:00:00',
  }),
  'a running month': trap({ ...TWO_CUSTOMERS, now: '2025-03-16' }),
}
type Name = keyof typeof SCENARIOS

oneEngineInRotation('when it happens', (target) => {
  let engineOf: (name: Name) => Promise<Engine>
  beforeAll(async () => {
    engineOf = await trapEngines(target, SCENARIOS)
  })
  const ask = async (name: Name, metric: string, params: Record<string, string>, spec = {}) =>
    (await (await engineOf(name)).query(metric, params, spec)).data
  const cells = async (name: Name, start: string, end: string) =>
    ((await ask(name, 'retention', { start, end })) as Record<string, unknown>[]).map((row) => [
      row['cohort_month'],
      row['active_month'],
      row['active_count'],
    ])

  it('month ends: what happens at midnight belongs to the day that begins (D3, D41)', async () => {
    const engine = await engineOf('midnight to midnight')
    expect(await figuresOf(engine, '2025-01-31', '2025-02-01', '2025-02-28')).toEqual({
      opening: 0,
      closing: 3000,
      movements: { new: 3000 },
      churned: '0/0',
      lost: '0/0',
      nrr: null,
      grr: null,
      arpu: 3000,
    })
    expect(await figuresOf(engine, '2025-02-28', '2025-03-01', '2025-03-31')).toEqual({
      opening: 3000,
      closing: 0,
      movements: { churn: -3000 },
      churned: '1/1',
      lost: '3000/3000',
      nrr: 0,
      grr: 0,
      arpu: null,
    })
    expect(await cells('midnight to midnight', '2025-01-01', '2025-03-31')).toEqual([
      ['2025-02-01', '2025-02-01', 1],
      ['2025-02-01', '2025-03-01', 0],
    ])
  })

  it('month ends: what happens in the last second of a month belongs to it (D3, D47)', async () => {
    const engine = await engineOf('last seconds')
    expect(await figuresOf(engine, '2025-01-31', '2025-02-01', '2025-02-28')).toMatchObject({
      opening: 3000,
      closing: 0,
      movements: { churn: -3000 },
      churned: '1/1',
    })
    expect(await cells('last seconds', '2025-01-01', '2025-03-31')).toEqual([
      ['2025-01-01', '2025-01-01', 1],
      ['2025-01-01', '2025-02-01', 0],
      ['2025-01-01', '2025-03-01', 0],
    ])
    const months = (await ask('last seconds', 'churn', {
      start: '2025-01-01',
      end: '2025-03-31',
      granularity: 'month',
    })) as Record<string, unknown>[]
    expect(months.map((row) => [row['period'], row['churn_count'], row['active_at_start']])).toEqual([
      ['2025-01-01', 0, 0],
      ['2025-02-01', 1, 1],
      ['2025-03-01', 0, 0],
    ])
  })

  it('an event dated in the current second has happened, with whatever fraction; the next second has not come (D2)', async () => {
    const { data } = await (await engineOf('the current second')).list('subscriptions')
    const { rows } = data as { rows: readonly { id: string; status: string }[] }
    const statuses = rows.map(({ id, status }) => [id.slice(-2), status]).sort()
    expect(statuses).toEqual([
      ['S1', 'active'],
      ['S2', 'pending'],
      ['S3', 'canceled'],
    ])
    const figures = await figuresOf(await engineOf('the current second'), '2025-03-09', '2025-03-10', '2025-03-10')
    expect(figures).toMatchObject({ opening: 3000, closing: 3000, movements: { new: 3000, churn: -3000 } })
  })

  it('February of a leap year has its 29th (D5)', async () => {
    expect(await ask('a leap day', 'churn', { start: '2024-02-01', end: '2024-02-28' })).toBe(0)
    expect(await ask('a leap day', 'churn', { start: '2024-02-01', end: '2024-02-29' })).toBe(1)
    expect(await ask('a leap day', 'mrr', { at: '2024-02-28' })).toBe(3000)
    expect(await ask('a leap day', 'mrr', { at: '2024-02-29' })).toBe(0)
  })

  it('LTV takes the mean of its whole months; a month without customers is left out, one without churn is not (D50)', async () => {
    // February 0/2, March 1/2; nobody was live before January and before December.
    const range = { start: '2024-12-01', end: '2025-03-31' }
    expect(await ask('whole months', 'ltv', range, { dimensions: ['source'] })).toEqual([
      { source: 'killbill', ltv: 12000, arpu: 3000, logo_churn_rate: 0.25 },
    ])
    expect(await ask('whole months', 'ltv', { ...range, at: '2025-02-28' })).toBe(8000)
    expect(await ask('whole months', 'ltv', { start: '2025-01-20', end: '2025-02-28' })).toBeNull()
  })

  it('without a whole month the rate of the days up to now is brought to a month (D50)', async () => {
    // One of two in 16 days: 0.5 × 365 / (12 × 16).
    expect(await ask('a running month', 'ltv', { start: '2025-03-01', end: '2025-03-31' }, { dimensions: ['source'] })).toEqual([
      { source: 'killbill', ltv: 3156.16, arpu: 3000, logo_churn_rate: 0.950521 },
    ])
    // One of two in 2 days would be more than everybody.
    expect(await ask('whole months', 'ltv', { start: '2025-03-04', end: '2025-03-05' })).toBe(3000)
  })

  it('zero denominators: before anything happened rates are null, flows 0 and matrices empty (http-api 1.3)', async () => {
    const before = { start: '2023-01-01', end: '2023-02-28' }
    const engine = await engineOf('whole months')
    expect(await figuresOf(engine, '2022-12-31', before.start, before.end)).toEqual({
      opening: 0,
      closing: 0,
      movements: {},
      churned: '0/0',
      lost: '0/0',
      nrr: null,
      grr: null,
      arpu: null,
    })
    const scalars = ['logo', 'revenue'].map((query_type) => ['churn', query_type] as const)
    for (const [metric, query_type] of [...scalars, ['ltv', 'simple'] as const])
      expect(await ask('whole months', metric, { query_type, ...before }), query_type).toBeNull()
    for (const [metric, query_type] of [
      ['churn', 'detail'],
      ['churn', 'revenue_events'],
      ['retention', 'cohort_matrix'],
    ] as const)
      expect(await ask('whole months', metric, { query_type, ...before }), query_type).toEqual([])
    expect(await ask('whole months', 'trials', before)).toBeNull()
    expect(await ask('whole months', 'retention', { query_type: 'grr', ...before, granularity: 'month' })).toEqual(
      ['2023-01-01', '2023-02-01'].map((period) => ({ period, retention_rate: null, start_mrr: 0, contraction: 0, churn: 0 })),
    )
    const nobody = { customer_count: 0, total_revenue: 0, avg_revenue_per_customer: null }
    expect(await ask('whole months', 'ltv', { query_type: 'cohort', ...before })).toEqual(
      ['2023-01-01', '2023-02-01'].map((cohort_month) => ({ cohort_month, ...nobody })),
    )
  })
})
