import { expect, it } from 'vitest'
import { exampleConnector, span } from '../support/data/worked-example.ts'
import { describeExample, type Overrides } from '../support/product/example-engine.ts'

describeExample('churn, retention and ltv: traps', (engineOf) => {
  type Given = Record<string, unknown>
  const ask = async (metric: string, params: Given, spec: Given, overrides: Overrides): Promise<unknown> =>
    (await engineOf(overrides).query(metric, params, spec)).data
  const on = (spans: readonly ReturnType<typeof span>[], sameLine: readonly string[] = []): Overrides => ({
    connector: exampleConnector({ spans, sameLine }),
  })
  const MARCH = { start: '2025-03-01', end: '2025-03-31' }
  const paying = (id: string, from: string, to: string | null, cells: Parameters<typeof span>[5] = {}) =>
    span(id, 1, from, to, 2, { subscription_mrr_cents: 1000, ...cells })

  it('a customer that loses one of two subscriptions stays (D39)', async () => {
    const two = on([paying('S1', '2025-01-01', null), paying('S2', '2025-01-01', '2025-03-10', { end_reason: 'cancel' })])
    expect(await ask('churn', MARCH, {}, two)).toBe(0)
    expect(await ask('churn', { type: 'revenue', ...MARCH }, {}, two)).toBe(0.5)
  })

  it('a swap in one instant is no churn and counts by its net (D33, D39, D45)', async () => {
    const spans = [
      paying('S1', '2025-01-01', '2025-03-10', { end_reason: 'cancel' }),
      paying('S2', '2025-03-10', null, { subscription_mrr_cents: 1500 }),
    ]
    const swap = on(spans, ['S1', 'S2'])
    expect(await ask('churn', MARCH, {}, swap)).toBe(0)
    expect(await ask('retention', { query_type: 'nrr', ...MARCH }, {}, swap)).toBe(1.5)
    expect(await ask('retention', { query_type: 'grr', ...MARCH }, {}, swap)).toBe(1)
  })

  it('a bundle transfer is neither logo nor revenue churn (D34, D40)', async () => {
    const moved = on([paying('S1', '2025-01-01', '2025-03-10', { end_reason: 'bundle_transfer' })])
    expect(await ask('churn', MARCH, {}, moved)).toBe(0)
    expect(await ask('churn', { type: 'revenue', ...MARCH }, {}, moved)).toBe(0)
    expect(await ask('retention', { query_type: 'nrr', ...MARCH }, {}, moved)).toBe(1)
    expect(await ask('churn', { start: '2025-04-01', end: '2025-04-30' }, {}, moved)).toBeNull()
  })

  it('a free customer is live: its end is logo churn without revenue (D27, D41)', async () => {
    const free = on([paying('S1', '2025-01-01', '2025-03-10', { subscription_mrr_cents: 0, end_reason: 'cancel' })])
    expect(await ask('churn', MARCH, {}, free)).toBe(1)
    expect(await ask('churn', { type: 'revenue', ...MARCH }, {}, free)).toBeNull()
  })

  it('GRR has a floor where a customer grew first and fell below its growth (D45)', async () => {
    const spans = [
      paying('S1', '2025-01-01', '2025-03-05', {}),
      paying('S1', '2025-03-05', '2025-03-20', { subscription_mrr_cents: 3000, start_reason: 'plan' }),
      paying('S1', '2025-03-20', null, { subscription_mrr_cents: 1500, start_reason: 'plan' }),
    ]
    expect(await ask('retention', { query_type: 'grr', ...MARCH }, {}, on(spans))).toBe(0)
    expect(await ask('retention', { query_type: 'nrr', ...MARCH }, {}, on(spans))).toBe(1.5)
  })

  it('a customer who arrives inside the range is in no start cohort (D41, D43)', async () => {
    const newcomer = on([paying('S1', '2025-03-02', '2025-03-10', { end_reason: 'cancel' })])
    expect(await ask('churn', MARCH, {}, newcomer)).toBeNull()
    expect(await ask('churn', { type: 'revenue', ...MARCH }, {}, newcomer)).toBeNull()
    expect(await ask('retention', { query_type: 'grr', ...MARCH }, {}, newcomer)).toBeNull()
  })

  it('a missing price or rate fails what needs it and nothing else (D14, D26)', async () => {
    const unpriced = on([
      paying('S1', '2025-01-01', null),
      span('S2', 2, '2025-01-01', null, null, { plan: 'odd', is_unpriced: true }),
    ])
    await expect(ask('retention', { query_type: 'nrr', ...MARCH }, {}, unpriced)).rejects.toMatchObject({
      code: 'unpriced_plan',
    })
    expect(await ask('churn', MARCH, {}, unpriced)).toBe(0)
    const cohort = { query_type: 'cohort', start: '2025-01-01', end: '2025-03-31' }
    await expect(ask('ltv', cohort, {}, unpriced)).rejects.toMatchObject({
      code: 'unpriced_plan',
      context: { plans: [{ plan_id: 'odd', currency: 'USD', count: 1 }] },
    })
    const euro = { currency: 'GBP' }
    const unrated = on([paying('S1', '2025-01-01', null, euro)])
    await expect(ask('churn', { type: 'revenue', ...MARCH }, {}, unrated)).rejects.toMatchObject({ code: 'missing_fx_rate' })
    expect(await ask('churn', { type: 'revenue', ...MARCH }, { dimensions: ['currency'] }, unrated)).toEqual([
      { currency: 'GBP', revenue_churn_rate: 0, revenue_lost: 0, start_mrr: 1000 },
    ])
    const later = on([
      paying('S1', '2025-01-01', null),
      span('S2', 2, '2025-03-10', null, 2, { subscription_mrr_cents: 5, ...euro }),
    ])
    expect(await ask('churn', { type: 'revenue', ...MARCH }, {}, later)).toBe(0)
  })
})
