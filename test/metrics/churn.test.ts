import { expect, it } from 'vitest'
import { exampleConnector } from '../support/data/worked-example.ts'
import { describeExample, type Overrides } from '../support/product/example-engine.ts'

const RANGE = { start: '2025-03-01', end: '2025-05-31' }
const MONTHLY = { ...RANGE, granularity: 'month' }
const UNRATED: Overrides = { connector: exampleConnector({ rates: [] }) }

describeExample('churn, retention and ltv of the worked example', (engineOf) => {
  type Given = Record<string, unknown>
  const ask = async (metric: string, params: Given, spec: Given = {}, overrides: Overrides = {}): Promise<unknown> =>
    (await engineOf(overrides).query(metric, params, spec)).data

  it('logo churn: customers who were live before and churned once, also when it came back (D41, D42)', async () => {
    expect(await ask('churn', RANGE)).toBe(0.4)
    expect(await ask('churn', { query_type: 'detail', ...RANGE })).toEqual([
      customer('A', 8333),
      {
        ...customer('B', 2900),
        fully_churned: true,
        churned_at: '2025-05-24T12:00:00.000Z',
        cancel_reason: 'too_expensive',
        churned_mrr_cents: 7900,
      },
      customer('C', 11000),
      customer('E', 1600),
      { ...customer('F', 5000), churned_at: '2025-04-20T12:00:00.000Z', churned_mrr_cents: 10000 },
    ])
  })

  it('revenue churn counts pauses and returns, its table sums to what was lost (D44, I11)', async () => {
    expect(await ask('churn', { type: 'revenue', ...RANGE })).toBe(0.620816)
    expect(await ask('churn', { query_type: 'revenue_events', ...RANGE })).toEqual([
      { customer_id: 'F', customer_name: 'Customer F', mrr_cents: 10000, events: 2 },
      { customer_id: 'B', customer_name: 'Customer B', mrr_cents: 7900, events: 1 },
    ])
    expect(await ask('churn', { type: 'revenue', ...MONTHLY })).toEqual([
      { period: '2025-03-01', revenue_churn_rate: 0.173412, revenue_lost: 5000, start_mrr: 28833 },
      { period: '2025-04-01', revenue_churn_rate: 0, revenue_lost: 0, start_mrr: 28983 },
      { period: '2025-05-01', revenue_churn_rate: 0.211044, revenue_lost: 7900, start_mrr: 37433 },
    ])
  })

  it('the value just before the start decides the group of both sides (D61)', async () => {
    expect(await ask('churn', { type: 'revenue', ...RANGE }, { dimensions: ['plan_id'] })).toEqual([
      { plan_id: 'meter', revenue_churn_rate: 0, revenue_lost: 0, start_mrr: 1600 },
      { plan_id: 'plus', revenue_churn_rate: 2, revenue_lost: 10000, start_mrr: 5000 },
      { plan_id: 'pro-annual', revenue_churn_rate: 0, revenue_lost: 0, start_mrr: 8333 },
      { plan_id: 'seat', revenue_churn_rate: 0, revenue_lost: 0, start_mrr: 11000 },
      { plan_id: 'team', revenue_churn_rate: 2.724138, revenue_lost: 7900, start_mrr: 2900 },
    ])
    expect(await ask('churn', { type: 'revenue', ...RANGE }, { filters: { plan_id: 'team' } })).toBe(2.724138)
    expect(await ask('churn', { type: 'revenue', ...RANGE }, { filters: { plan_id: 'business' } })).toBeNull()
  })

  it('reasons split and narrow the numerator only (D46)', async () => {
    expect(await ask('churn', RANGE, { dimensions: ['cancel_reason'] })).toEqual([
      { cancel_reason: 'too_expensive', logo_churn_rate: 0.2, churn_count: 1, active_at_start: 5 },
      { cancel_reason: null, logo_churn_rate: 0.2, churn_count: 1, active_at_start: 5 },
    ])
    expect(await ask('churn', RANGE, { filters: { cancel_reason: 'too_expensive' } })).toBe(0.2)
    expect(await ask('churn', RANGE, { filters: { churn_type: 'revenue' } })).toBe(0)
    expect(await ask('churn', { type: 'revenue', ...RANGE }, { dimensions: ['cancel_reason', 'churn_type'] })).toEqual([
      {
        cancel_reason: 'too_expensive',
        churn_type: 'revenue',
        revenue_churn_rate: 0.273992,
        revenue_lost: 7900,
        start_mrr: 28833,
      },
      { cancel_reason: null, churn_type: 'revenue', revenue_churn_rate: 0.346825, revenue_lost: 10000, start_mrr: 28833 },
    ])
    expect(await ask('churn', RANGE, { filters: { occurred_at: { '>=': '2025-05-01' } } })).toBe(0.2)
  })

  it('NRR and GRR are capped per customer, the parts are not (D45)', async () => {
    expect(await ask('retention', { query_type: 'nrr', ...RANGE })).toBe(1.020809)
    expect(await ask('retention', { query_type: 'grr', ...RANGE })).toBe(0.72254)
    expect(await ask('retention', { query_type: 'nrr', ...RANGE }, { dimensions: ['source'] })).toEqual([
      {
        source: 'example',
        retention_rate: 1.020809,
        start_mrr: 28833,
        expansion: 13600,
        contraction: -100,
        churn: -17900,
        reactivation: 0,
        reactivation_excluded: 9000,
      },
    ])
    const rates = async (query_type: string) => {
      const rows = (await ask('retention', { query_type, ...MONTHLY })) as { retention_rate: number }[]
      return rows.map((row) => row.retention_rate)
    }
    expect(await rates('nrr')).toEqual([1.005202, 1.29155, 0.786285])
    expect(await rates('grr')).toEqual([0.826588, 1, 0.786285])
  })

  it('by currency the ratio reads original cents (D14)', async () => {
    expect(await ask('retention', { query_type: 'nrr', ...RANGE }, { dimensions: ['currency'] })).toEqual([
      {
        currency: 'EUR',
        retention_rate: 1.6,
        start_mrr: 10000,
        expansion: 6000,
        contraction: 0,
        churn: 0,
        reactivation: 0,
        reactivation_excluded: 0,
      },
      {
        currency: 'USD',
        retention_rate: 0.573824,
        start_mrr: 17833,
        expansion: 5400,
        contraction: -100,
        churn: -17900,
        reactivation: 0,
        reactivation_excluded: 9000,
      },
    ])
  })

  it('a cohort retains paused and returning customers (D48)', async () => {
    const matrix = (await ask('retention', { start: '2025-01-01', end: '2025-05-31' })) as Record<string, unknown>[]
    expect(matrix.map((row) => [row['cohort_month'], row['active_month'], row['cohort_size'], row['retention_rate']])).toEqual([
      ['2025-01-01', '2025-01-01', 4, 1],
      ['2025-01-01', '2025-02-01', 4, 1],
      ['2025-01-01', '2025-03-01', 4, 1],
      ['2025-01-01', '2025-04-01', 4, 0.75],
      ['2025-01-01', '2025-05-01', 4, 0.75],
      ['2025-02-01', '2025-02-01', 1, 1],
      ['2025-02-01', '2025-03-01', 1, 1],
      ['2025-02-01', '2025-04-01', 1, 1],
      ['2025-02-01', '2025-05-01', 1, 1],
    ])
    const open = (await ask(
      'retention',
      { start: '2025-05-01', end: '2025-06-30' },
      { filters: { cohort_month: '2025-05-01' } },
    )) as unknown[]
    expect(open).toEqual([])
  })

  it('a revenue cohort compares its MRR with the end of its first month, gross without what customers gained (D71)', async () => {
    const range = {
      query_type: 'revenue_cohort_matrix',
      start: '2025-01-01',
      end: '2025-05-31',
    }
    const matrix = (await ask('retention', range)) as Record<string, unknown>[]
    const cell = (row: Record<string, unknown>) => [
      ...[row['cohort_month'], row['active_month'], row['months_since'], row['start_mrr'], row['mrr']],
      ...[row['net_retention_rate'], row['gross_retention_rate']],
    ]
    expect(matrix.map(cell)).toEqual([
      ['2025-01-01', '2025-01-01', 0, 17233, 17233, 1, 1],
      ['2025-01-01', '2025-02-01', 1, 17233, 17833, 1.034817, 1],
      ['2025-01-01', '2025-03-01', 2, 17233, 17983, 1.043521, 0.709859],
      ['2025-01-01', '2025-04-01', 3, 17233, 18233, 1.058028, 0.709859],
      ['2025-01-01', '2025-05-01', 4, 17233, 14233, 0.825915, 0.77369],
      ['2025-02-01', '2025-02-01', 0, 11000, 11000, 1, 1],
      ['2025-02-01', '2025-03-01', 1, 11000, 11000, 1, 1],
      ['2025-02-01', '2025-04-01', 2, 11000, 19200, 1.745455, 1],
      ['2025-02-01', '2025-05-01', 3, 11000, 19200, 1.745455, 1],
    ])
    // In its own currency C grew from 5 to 8 seats, and the rate of April plays no part.
    const euros = (await ask('retention', range, {
      dimensions: ['currency'],
    })) as Record<string, unknown>[]
    expect(euros.filter((row) => row['currency'] === 'EUR').map((row) => [row['mrr'], row['net_retention_rate']])).toEqual([
      [10000, 1],
      [10000, 1],
      [16000, 1.6],
      [16000, 1.6],
    ])
    await expect(ask('retention', range, {}, UNRATED)).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { currency: 'EUR', date: '2025-02-01' },
    })
    const dear = (await ask('retention', range, { filters: { currency: 'USD' } }, UNRATED)) as Record<string, unknown>[]
    expect(dear.map((row) => row['mrr'])).toEqual([17233, 17833, 17983, 18233, 14233])
  })

  it('a month that the range cuts is compared as of its last day, and a cohort without MRR has no rates (D71)', async () => {
    const cut = {
      query_type: 'revenue_cohort_matrix',
      start: '2025-01-01',
      end: '2025-01-10',
    }
    const [january] = (await ask('retention', cut)) as Record<string, unknown>[]
    // Just before January 11 A and E have MRR. B is in its trial, and F has not begun.
    expect(january).toMatchObject({
      start_mrr: 9333,
      mrr: 9333,
      net_retention_rate: 1,
      is_complete: false,
    })
    const [first] = (await ask('retention', { ...cut, end: '2025-01-31' }, { filters: { customer_id: 'F' } })) as unknown[]
    expect(first).toMatchObject({
      start_mrr: 5000,
      mrr: 5000,
      is_complete: true,
    })
    const gone = { ...cut, end: '2025-01-15' }
    expect(await ask('retention', gone, { filters: { customer_id: 'F' } })).toEqual([
      {
        cohort_month: '2025-01-01',
        active_month: '2025-01-01',
        months_since: 0,
        start_mrr: 0,
        mrr: 0,
        net_retention_rate: null,
        gross_retention_rate: null,
        is_complete: false,
      },
    ])
  })

  it('ARPU leaves out who does not pay, LTV divides it by the mean monthly churn (D49, D50)', async () => {
    expect(await ask('ltv', { query_type: 'arpu', at: '2025-03-31' })).toBe(7245.75)
    expect(await ask('ltv', RANGE)).toBe(55721.67)
    expect(await ask('ltv', { ...RANGE, at: '2025-03-31' })).toBe(48305)
    expect(await ask('ltv', RANGE, { dimensions: ['source'] })).toEqual([
      { source: 'example', ltv: 55721.67, arpu: 8358.25, logo_churn_rate: 0.15 },
    ])
    expect(await ask('ltv', { query_type: 'arpu', start: '2025-03-01', end: '2025-05-31' })).toEqual([
      { period: '2025-03-01', arpu: 7245.75, mrr: 28983, active_customers: 4 },
      { period: '2025-04-01', arpu: 9358.25, mrr: 37433, active_customers: 4 },
      { period: '2025-05-01', arpu: 8358.25, mrr: 33433, active_customers: 4 },
    ])
  })

  it('without a full month the rate of the range is brought to a month (D50)', async () => {
    const [row] = (await ask('ltv', { start: '2025-04-11', end: '2025-04-20' }, { dimensions: ['source'] })) as {
      logo_churn_rate: number
    }[]
    expect(row?.logo_churn_rate).toBe(Number(((0.2 * 365) / 120).toFixed(6)))
  })

  it('cohort LTV is what was paid, at the rate of the day, in every month of the range (D51, D54)', async () => {
    const empty = ['2025-03-01', '2025-04-01', '2025-05-01'].map((cohort_month) => cohortRow(cohort_month, 0, 0, null))
    expect(await ask('ltv', { query_type: 'cohort', start: '2025-01-01', end: '2025-05-31' })).toEqual([
      cohortRow('2025-01-01', 4, 145513, 36378.25),
      cohortRow('2025-02-01', 1, 42200, 42200),
      ...empty,
    ])
    const paidInApril = { filters: { paid_at: { '>=': '2025-04-01', '<': '2025-05-01' } } }
    expect(await ask('ltv', { query_type: 'cohort', start: '2025-01-01', end: '2025-05-31' }, paidInApril)).toEqual([
      cohortRow('2025-01-01', 4, 7900 + 2500 + 1613, 3003.25),
      cohortRow('2025-02-01', 1, 19200, 19200),
      ...empty,
    ])
  })

  it('a missing rate fails cohort LTV and names the first day, original cents need none (D14)', async () => {
    const cohort = { query_type: 'cohort', start: '2025-01-01', end: '2025-05-31' }
    await expect(ask('ltv', cohort, {}, UNRATED)).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { currency: 'EUR', date: '2025-02-01', count: 3 },
    })
    const rows = (await ask('ltv', cohort, { dimensions: ['currency'] }, UNRATED)) as Record<string, unknown>[]
    expect(rows.find((row) => row['currency'] === 'EUR' && row['cohort_month'] === '2025-02-01')).toMatchObject({
      total_revenue: 36000,
    })
  })

  it('a range in the future is empty: nobody churns (D3)', async () => {
    const future = { start: '2026-01-01', end: '2026-03-31' }
    expect(await ask('churn', future)).toBe(0)
    expect(await ask('churn', { ...future, granularity: 'month' })).toEqual([])
    expect(await ask('retention', future)).toEqual([])
    expect(await ask('retention', { query_type: 'revenue_cohort_matrix', ...future })).toEqual([])
    expect(await ask('ltv', { query_type: 'cohort', ...future })).toEqual([])
  })
})

function customer(id: string, starting_mrr_cents: number) {
  return {
    customer_id: id,
    customer_name: `Customer ${id}`,
    active_at_start: true,
    fully_churned: false,
    churned_at: null,
    cancel_reason: null,
    churned_mrr_cents: 0,
    starting_mrr_cents,
  }
}

function cohortRow(cohort_month: string, customer_count: number, total_revenue: number, avg_revenue_per_customer: number | null) {
  return { cohort_month, customer_count, total_revenue, avg_revenue_per_customer }
}
