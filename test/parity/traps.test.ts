import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { figuresOf } from '../support/product/range-figures.ts'
import { trapEngines } from '../support/product/trap-engines.ts'
import { CUSTOMER_TRAPS } from './customer-traps.ts'

const MARCH = { start: '2025-03-01', end: '2025-03-31' }
const SO_FAR = { start: '2025-01-01', end: '2025-03-31' }
const SCENARIOS = Object.fromEntries(Object.entries(CUSTOMER_TRAPS).map(([name, { scenario }]) => [name, scenario]))

oneEngineInRotation('actions of customers', (target) => {
  let engineOf: (name: keyof typeof CUSTOMER_TRAPS) => Promise<Engine>
  beforeAll(async () => {
    engineOf = await trapEngines(target, SCENARIOS)
  })
  const rows = async (name: keyof typeof CUSTOMER_TRAPS, metric: string, params: object, spec = {}) =>
    (await (await engineOf(name)).query(metric, { ...params }, spec)).data as Record<string, unknown>[]
  const cells = (matrix: Record<string, unknown>[]) =>
    matrix.map((row) => [row['cohort_month'], row['active_month'], row['active_count'], row['cohort_size']])

  it.each(sampleOf(target, Object.entries(CUSTOMER_TRAPS), { first: 1, others: 7 }))('%s', async (name, { march }) => {
    expect(await figuresOf(await engineOf(name), '2025-02-28', MARCH.start, MARCH.end)).toEqual(march)
  })

  it('a customer who returned inside the range is churned and not fully churned (D42)', async () => {
    expect(await rows('a return inside the range', 'churn', { query_type: 'detail', ...MARCH })).toMatchObject([
      { churned_at: '2025-03-10T00:00:00.000Z', fully_churned: false, churned_mrr_cents: 3000, starting_mrr_cents: 3000 },
    ])
  })

  it('a customer who is paused or lost a part has not churned (D42)', async () => {
    for (const [name, churned_mrr_cents] of [
      ['a pause inside the range', 3000],
      ['one of two subscriptions ends', 1000],
    ] as const) {
      const detail = await rows(name, 'churn', { query_type: 'detail', ...MARCH })
      expect(detail, name).toMatchObject([{ churned_at: null, fully_churned: false, churned_mrr_cents }])
    }
  })

  it('during a pause nobody pays, and the customer is retained (D48, D49)', async () => {
    const name = 'a pause inside the range'
    expect(await rows(name, 'ltv', { query_type: 'arpu', at: '2025-03-15' })).toBeNull()
    const matrix = await rows(name, 'retention', { query_type: 'cohort_matrix', start: '2025-01-01', end: '2025-03-15' })
    expect(cells(matrix).at(-1)).toEqual(['2025-01-01', '2025-03-01', 1, 1])
    expect(matrix.at(-1)).toMatchObject({ is_complete: false })
  })

  it.each([
    [
      'a trial that never converts',
      { started: 1, converted: 0, expired: 1, pending: 0, conversion_rate: 0, decided_conversion_rate: 0 },
      [],
    ],
    [
      'a trial converted by a plan change',
      { started: 1, converted: 1, expired: 0, pending: 0, conversion_rate: 1, decided_conversion_rate: 1 },
      [['2025-03-01', '2025-03-01', 1, 1]],
    ],
  ] as const)('%s: funnel and cohort (D47, D56)', async (name, funnel, matrix) => {
    expect(await rows(name, 'trials', { query_type: 'funnel', ...MARCH })).toEqual(funnel)
    expect(cells(await rows(name, 'retention', SO_FAR))).toEqual(matrix)
  })

  it('a free customer has a cohort by activity and none by payment (D47, D51)', async () => {
    const [live, paying] = [
      await rows('from free to paid', 'retention', SO_FAR),
      await rows('from free to paid', 'ltv', { query_type: 'cohort', ...SO_FAR }),
    ]
    expect(cells(live)).toEqual([
      ['2025-02-01', '2025-02-01', 1, 1],
      ['2025-02-01', '2025-03-01', 1, 1],
    ])
    expect(paying.map((row) => row['customer_count'])).toEqual([0, 0, 1])
    const never = await rows('a free plan that ends', 'ltv', { query_type: 'cohort', ...SO_FAR })
    expect(never.map((row) => row['customer_count'])).toEqual([0, 0, 0])
  })

  it('a transfer: the old account is not retained, the new one starts a cohort, nobody lost anything (D34, D40)', async () => {
    expect(cells(await rows('a bundle transfer', 'retention', SO_FAR))).toEqual([
      ['2025-01-01', '2025-01-01', 1, 1],
      ['2025-01-01', '2025-02-01', 1, 1],
      ['2025-01-01', '2025-03-01', 0, 1],
      ['2025-03-01', '2025-03-01', 1, 1],
    ])
    expect(await rows('a bundle transfer', 'churn', { query_type: 'detail', ...MARCH })).toMatchObject([
      { customer_id: expect.stringMatching(/:A$/), churned_at: null, fully_churned: false, starting_mrr_cents: 3000 },
    ])
    expect(await rows('a bundle transfer', 'churn', { query_type: 'revenue_events', ...MARCH })).toEqual([])
  })

  it('by currency every ratio is in original cents (D14)', async () => {
    const by = { dimensions: ['currency'] }
    expect(await rows('two currencies', 'churn', { query_type: 'revenue', ...MARCH }, by)).toEqual([
      { currency: 'EUR', revenue_churn_rate: 0, revenue_lost: 0, start_mrr: 2000 },
      { currency: 'USD', revenue_churn_rate: 1, revenue_lost: 3000, start_mrr: 3000 },
    ])
    expect(await rows('two currencies', 'churn', { query_type: 'logo', ...MARCH }, by)).toEqual([
      { currency: 'EUR', logo_churn_rate: 0, churn_count: 0, active_at_start: 1 },
      { currency: 'USD', logo_churn_rate: 1, churn_count: 1, active_at_start: 1 },
    ])
    expect(await rows('two currencies', 'ltv', { query_type: 'arpu', at: '2025-02-28' }, by)).toEqual([
      { currency: 'EUR', arpu: 2000, mrr: 2000, active_customers: 1 },
      { currency: 'USD', arpu: 3000, mrr: 3000, active_customers: 1 },
    ])
  })

  it('no country is a separate group, last, and a filter finds it (http-api 1.6)', async () => {
    const none = { logo_churn_rate: 1, churn_count: 1, active_at_start: 1 }
    const params = { query_type: 'logo', ...MARCH }
    expect(await rows('no country', 'churn', params, { dimensions: ['customer_country'] })).toEqual([
      { customer_country: 'DE', logo_churn_rate: 0, churn_count: 0, active_at_start: 1 },
      { customer_country: null, ...none },
    ])
    const filters = { customer_country: { is_empty: true } }
    expect(await rows('no country', 'churn', params, { dimensions: ['source'], filters })).toEqual([
      { source: 'killbill', ...none },
    ])
  })

  it('a closed account is one logo churn and two revenue events (D39, D44)', async () => {
    const name = 'an account closed by the engine'
    expect(await rows(name, 'churn', { query_type: 'detail', ...MARCH })).toMatchObject([
      { churned_at: '2025-03-10T08:00:00.000Z', fully_churned: true, churned_mrr_cents: 4000 },
    ])
    expect(await rows(name, 'churn', { query_type: 'revenue_events', ...MARCH })).toMatchObject([{ mrr_cents: 4000, events: 2 }])
  })
})
