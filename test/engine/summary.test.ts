import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/engine/engine.ts'
import { createPlanner } from '../../src/execution/plan/plan.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { exampleConnector, NOW, SPANS, span } from '../support/data/worked-example.ts'
import { describeExample } from '../support/product/example-engine.ts'

const WITHOUT_TRIALS = {
  subscription_span: 'exact',
  customer: 'exact',
  subscription: 'exact',
  plan: 'exact',
  cancellation: 'exact',
  invoice: 'exact',
  trial: 'absent',
} as const

const figures = ({ data }: Answer) => data as Record<string, unknown>

describeExample('the summary of the worked example (definitions.md 17)', (engineOf) => {
  it('has the figures of the range March to May', async () => {
    const answer = await engineOf().summary({ start: '2025-03-01', end: '2025-05-31' })
    expect(answer.kind).toBe('object')
    expect(answer.data).toMatchObject({
      mrr: 33433,
      arr: 401196,
      arpu: 8358.25,
      active_customers: 4,
      active_subscriptions: 4,
      net_new_mrr: 4600,
      logo_churn_rate: 0.4,
      revenue_churn_rate: 0.620816,
      nrr: 1.020809,
      grr: 0.72254,
      ltv: 55721.67,
      quick_ratio: 1.255556,
      as_of: '2025-05-31',
      rate_window: { start: '2025-03-01', end: '2025-05-31' },
      trailing_window: { start: '2025-03-01', end: '2025-05-31' },
      data_through: '2025-06-05T00:00:00.000Z',
      base_currency: 'USD',
    })
    expect(Object.keys(figures(answer))).toEqual(answer.columns)
  })

  it('takes the last full month for rates and 365 days for the rest', async () => {
    const may = figures(await engineOf().summary({ end: '2025-05-31' }))
    expect(may).toMatchObject({
      logo_churn_rate: 0.25,
      revenue_churn_rate: 0.211044,
      nrr: 0.786285,
      net_new_mrr: -4000,
      rate_window: { start: '2025-05-01', end: '2025-05-31' },
      trailing_window: { start: '2024-06-01', end: '2025-05-31' },
    })
    expect(may).toMatchObject({
      net_new_mrr_so_far: -4000,
      month_window: { start: '2025-05-01', end: '2025-05-31' },
      nrr_12_months: null,
      year_window: { start: '2024-06-01', end: '2025-05-31' },
    })
    const april = figures(await engineOf().summary({ end: '2025-05-30' }))
    expect(april).toMatchObject({
      as_of: '2025-05-30',
      mrr: 33433,
      logo_churn_rate: 0.2,
      revenue_churn_rate: 0,
      nrr: 1.29155,
      net_new_mrr: 8450,
      rate_window: { start: '2025-04-01', end: '2025-04-30' },
    })
  })

  it('has retention of twelve months and the month so far, whatever range is asked for', async () => {
    const ask = async (params: Record<string, string>) => (await engineOf().query('retention', params)).data
    for (const range of [{ start: '2025-03-01' }, {}]) {
      const answer = figures(await engineOf().summary({ ...range, end: '2025-05-20' }))
      const year = { start: '2024-05-21', end: '2025-05-20' }
      expect(answer).toMatchObject({ year_window: year, month_window: { start: '2025-05-01', end: '2025-05-20' } })
      expect(answer['nrr_12_months']).toBe(await ask({ query_type: 'nrr', ...year }))
      expect(answer['grr_12_months']).toBe(await ask({ query_type: 'grr', ...year }))
      const before = figures(await engineOf().summary({ end: '2025-04-30' }))
      expect(answer['net_new_mrr_so_far']).toBe(Number(answer['mrr']) - Number(before['mrr']))
    }
  })

  it('is that of today without a day, and for a day after today with a warning', async () => {
    const today = await engineOf().summary()
    expect(figures(today)).toMatchObject({ as_of: '2025-06-05', rate_window: { start: '2025-05-01', end: '2025-05-31' } })
    const later = await engineOf().summary({ end: '2026-01-31' })
    expect(later.data).toEqual(today.data)
    expect(later.meta.warnings).toMatchObject(expect.arrayContaining([{ code: 'future_clamped', message: expect.anything() }]))
    const empty = await engineOf().summary({ start: '2025-08-01', end: '2025-08-31' })
    expect(figures(empty)).toMatchObject({ mrr: 33433, net_new_mrr: 0, logo_churn_rate: 0, nrr: 1, ltv: null, quick_ratio: null })
  })

  it('before anything there is: zeros and nulls', async () => {
    expect(figures(await engineOf().summary({ end: '2024-06-30' }))).toMatchObject({
      mrr: 0,
      arr: 0,
      arpu: null,
      active_customers: 0,
      active_subscriptions: 0,
      net_new_mrr: 0,
      logo_churn_rate: null,
      revenue_churn_rate: null,
      nrr: null,
      grr: null,
      ltv: null,
      quick_ratio: null,
    })
  })

  it('of some customers only', async () => {
    const filters = { customer_id: ['B', 'F'] }
    expect(figures(await engineOf().summary({ start: '2025-03-01', end: '2025-05-31' }, { filters }))).toMatchObject({
      mrr: 4000,
      active_customers: 1,
      logo_churn_rate: 1,
      nrr: 0,
    })
    const nobody = figures(await engineOf().summary({ end: '2025-05-31' }, { filters: { customer_id: 'nobody' } }))
    expect(nobody).toMatchObject({ mrr: 0, active_customers: 0, nrr: null })
  })

  it('a figure that the connector cannot supply is null, named and warned about', async () => {
    const engine = engineOf({ connector: exampleConnector({ capabilities: WITHOUT_TRIALS }) })
    const answer = await engine.summary({ end: '2025-05-31' })
    expect(figures(answer)).toMatchObject({ mrr: 33433, trial_conversion_rate: null, unsupported: ['trial_conversion_rate'] })
    expect(answer.meta.warnings).toMatchObject([{ code: 'partial', count: 1 }])
    const nothing = engineOf({ connector: exampleConnector({ capabilities: { ...WITHOUT_TRIALS, mrr_span: 'absent' } }) })
    const { mrr, unsupported } = figures(await nothing.summary({ end: '2025-05-31' }))
    expect([mrr, (unsupported as string[]).length]).toEqual([null, 16])
  })

  it('inferences of the connector are named', async () => {
    const connector = exampleConnector({ capabilities: { ...WITHOUT_TRIALS, mrr_span: 'inferred' } })
    const { meta } = await engineOf({ connector }).summary({ end: '2025-05-31' })
    expect(meta.warnings.map(({ code }) => code)).toContain('inferred')
  })

  it('an unpriced span fails it, or is a warning where it is let through', async () => {
    const unpriced = span('S8', 1, '2025-05-20', null, null, { plan: 'lost', is_unpriced: true })
    const connector = exampleConnector({ spans: [...SPANS, unpriced], capabilities: WITHOUT_TRIALS })
    await expect(engineOf({ connector }).summary({ end: '2025-05-31' })).rejects.toMatchObject({
      code: 'unpriced_plan',
      context: { plans: [{ plan_id: 'lost', currency: 'USD', count: 1 }] },
    })
    expect(figures(await engineOf({ connector }).summary({ end: '2025-05-10' }))).toMatchObject({ mrr: 37333 })
    const let_through = await engineOf({ connector, options: { allow_unpriced: true } }).summary({ end: '2025-05-31' })
    expect(figures(let_through)).toMatchObject({ mrr: 33433 })
    expect(let_through.meta.warnings).toMatchObject(
      expect.arrayContaining([{ code: 'unpriced_plan', message: expect.anything(), count: 1 }]),
    )
  })

  it('a missing rate fails it, unless nothing of its windows needs it', async () => {
    const foreign = span('S8', 1, '2025-04-20', null, 4, { currency: 'GBP', subscription_mrr_cents: 500 })
    const connector = exampleConnector({ spans: [...SPANS, foreign], capabilities: WITHOUT_TRIALS })
    await expect(engineOf({ connector }).summary({ end: '2025-05-31' })).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { currency: 'GBP', date: '2025-04-20' },
    })
    expect(figures(await engineOf({ connector }).summary({ end: '2025-03-31' }))).toMatchObject({ mrr: 28983 })
    const filters = { customer_id: { '!=': 'A' } }
    expect(figures(await engineOf({ connector }).summary({ end: '2025-05-31' }, { filters }))).toMatchObject({ mrr: 25100 })
  })
})

describe('inputs of a summary', () => {
  const planner = createPlanner(builtInRegistry(), 'example', () => 'exact', { max_rows: 1000, sets: ['default'] })
  const parse = (params: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
    planner.plan('summary', params, spec, NOW)
  const refusal = (params: Record<string, unknown>, spec: Record<string, unknown> = {}) => {
    try {
      parse(params, spec)
    } catch (error) {
      return error
    }
    throw new Error('not refused')
  }

  it.each([
    [{ start: '2025-01-01' }, 'invalid_range', 'params.end'],
    [{ at: '2025-01-01', end: '2025-01-01' }, 'invalid_range', 'params.at'],
    [{ start: '2025-02-01', end: '2025-01-01' }, 'invalid_range', 'params.start'],
    [{ end: '2025-02-30' }, 'invalid_value', 'params.end'],
    [{ end: ['2025-01-01', '2025-01-02'] }, 'invalid_value', 'params.end'],
    [{ granularity: 'month' }, 'invalid_interval', 'params.granularity'],
    [{ interval: 'fortnight' }, 'invalid_interval', 'params.interval'],
    [{ query_type: 'mrr' }, 'invalid_value', 'params.query_type'],
    [{ segment: ['x', 'y'] }, 'invalid_value', 'params.segment'],
    [{ explain: 'maybe' }, 'invalid_value', 'params.explain'],
    [{ limit: '3' }, 'invalid_value', 'params.limit'],
    [{ format: 'xml' }, 'invalid_value', 'params.format'],
  ])('%o is %s', (params, code, where) => {
    expect(refusal(params)).toMatchObject({ code, issues: [{ code, where }] })
  })

  it.each([
    [{ dimensions: ['source'] }, 'unknown_dimension'],
    [{ filters: { plan_id: 'x' } }, 'unknown_filter'],
    [{ filters: { currency: 'EUR' } }, 'unknown_filter'],
    [{ filters: { cohort_month: 'soon' } }, 'invalid_value'],
  ])('%o is %s', (spec, code) => {
    expect(refusal({}, spec)).toMatchObject({ code })
  })

  it('another metric is asked about the same customers, wherever the segment was given', () => {
    const spec = { filters: { source: 'x' }, time_range: ['2025-01-01', '2025-01-31'] }
    expect(parse({ segment: 's1' }, spec).scope).toEqual({ segment: 's1', filters: { source: 'x' } })
    expect(parse({}, { segment: 's1' }).scope).toEqual({ segment: 's1' })
  })

  it('reports all that is wrong at once', () => {
    expect(refusal({ start: 'x', granularity: 'day', bogus: 1 }, { dimensions: ['plan_id'] })).toMatchObject({
      code: 'unknown_dimension',
      issues: expect.arrayContaining(
        ['params.start', 'params.granularity', 'params.bogus', 'spec.dimensions', 'params.end'].map((where) =>
          expect.objectContaining({ where }),
        ),
      ),
    })
  })

  it('warns about what has no effect', () => {
    expect(parse({ interval: 'month', type: 'logo', end: '2025-01-31' }).warnings).toMatchObject([
      { code: 'unused_parameter', count: 2 },
    ])
  })
})
