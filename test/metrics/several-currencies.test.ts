import { describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { severalCurrencies } from '../support/data/several-currencies.ts'
import { exampleConnector, span } from '../support/data/worked-example.ts'
import { describeExample } from '../support/product/example-engine.ts'
import { cellsOf } from '../support/product/number-cells.ts'

type Given = Readonly<Record<string, string>>
type Rows = readonly Readonly<Record<string, unknown>>[]

const APRIL = { start: '2025-04-01', end: '2025-04-30' }
const MAY = { start: '2025-05-01', end: '2025-05-31' }
const SPRING = { start: '2025-03-01', end: '2025-05-31' }
const ALL = { start: '2025-01-01', end: '2025-05-31' }
const BY_CURRENCY = { dimensions: ['currency'] }

/** Requests of every query that is about customers, with the rows behind its numbers. */
const QUERIES: readonly (readonly [metric: string, query_type: string, params: Given])[] = [
  ['ltv', 'arpu', { at: '2025-03-31' }],
  ['ltv', 'cohort', ALL],
  ['retention', 'nrr', APRIL],
  ['retention', 'revenue_cohort_matrix', ALL],
  ['churn', 'logo', MAY],
  ['churn', 'revenue', APRIL],
]

describeExample('customers that pay in several currencies', (engineOf) => {
  const engine = (rates?: Parameters<typeof severalCurrencies>[0]) => engineOf({ connector: severalCurrencies(rates) })
  const ask = async (metric: string, params: Given, spec: object = {}): Promise<unknown> =>
    (await engine().query(metric, params, { ...spec })).data
  const rows = async (...asked: Parameters<typeof ask>) => (await ask(...asked)) as Rows

  it('are one customer each in ARPU, and one in each of their currencies (D49)', async () => {
    const at = { query_type: 'arpu', at: '2025-03-31' }
    // A 10000 + 5500, B 2200 + 1000, C 1200 + 500
    expect(await ask('ltv', at)).toBe(6800)
    expect(await ask('ltv', at, BY_CURRENCY)).toEqual([
      { currency: 'EUR', arpu: 2666.67, mrr: 8000, active_customers: 3 },
      { currency: 'USD', arpu: 3833.33, mrr: 11500, active_customers: 3 },
    ])
    expect(await ask('ltv', at, { filters: { currency: 'EUR' } })).toBe(2966.67)
  })

  it('ARPU times paying customers is MRR (I17)', async () => {
    for (const day of ['2025-02-05', '2025-03-31', '2025-04-30', '2025-05-15']) {
      const [{ mrr, arpu, active_customers } = {}] = await rows(
        'ltv',
        { query_type: 'arpu', at: day },
        { dimensions: ['source'] },
      )
      expect(mrr).toBe(await ask('mrr', { at: day }))
      expect(Math.round(Number(arpu) * Number(active_customers))).toBe(mrr)
    }
  })

  it('have one ARPU and one churn rate in lifetime value (D50)', async () => {
    // ARPU 11000 / 2, monthly churn rates 0 / 2, 0 / 3 and 1 / 3
    expect(await ask('ltv', { query_type: 'simple', ...SPRING })).toBe(49500)
  })

  it('lose at most what they had over all currencies (D45)', async () => {
    const amounts = { start_mrr: 20400, contraction: -3000, churn: -16300 }
    // NRR: A 15500 - 3000 - 5500 - 6000, B 3200 + 2600 + 3000 - 4800, C 1700. GRR: A the same, B max(0, 3200 - 4800), C 1700.
    const [nrr] = await rows('retention', { query_type: 'nrr', ...APRIL }, { dimensions: ['source'] })
    const returns = { expansion: 5600, reactivation: 0, reactivation_excluded: 6000 }
    expect(nrr).toEqual({ source: 'example', retention_rate: 0.328431, ...amounts, ...returns })
    const [grr] = await rows('retention', { query_type: 'grr', ...APRIL }, { dimensions: ['source'] })
    expect(grr).toEqual({ source: 'example', retention_rate: 0.132353, ...amounts })
  })

  it('lose at most what they had in a currency, grouped by currency (D14, D45)', async () => {
    const rate = async (query_type: string) =>
      (await rows('retention', { query_type, ...APRIL }, BY_CURRENCY)).map((row) => [row['currency'], row['retention_rate']])
    expect(await rate('nrr')).toEqual([
      ['EUR', 0.125],
      ['USD', 1],
    ])
    expect(await rate('grr')).toEqual([
      ['EUR', 0.125],
      ['USD', 0.73913],
    ])
  })

  it('churn when their last subscription ends, whatever its currency (D39, D41)', async () => {
    const logo = { query_type: 'logo', ...MAY }
    expect(await ask('churn', logo)).toBe(0.333333)
    expect(await ask('churn', logo, BY_CURRENCY)).toEqual([
      { currency: 'EUR', logo_churn_rate: 1, churn_count: 1, active_at_start: 1 },
      { currency: 'USD', logo_churn_rate: 0.333333, churn_count: 1, active_at_start: 3 },
    ])
    expect(await ask('churn', logo, { filters: { currency: 'EUR' } })).toBe(1)
    expect(await ask('churn', logo, { filters: { currency: ['EUR', 'USD'] } })).toBe(0.333333)
    expect(await ask('churn', { type: 'revenue', ...APRIL })).toBe(0.79902)
  })

  it('are in one cohort each (D47, D71)', async () => {
    const counted = await rows('retention', ALL)
    expect(counted.map((row) => row['active_count'])).toEqual([2, 2, 2, 2, 2, 1, 1, 0])
    const matrix = await rows('retention', { query_type: 'revenue_cohort_matrix', ...ALL })
    expect(matrix.map((row) => [row['mrr'], row['gross_retention_rate']])).toEqual([
      [12200, 1],
      [18700, 1],
      [18700, 1],
      [11000, 0.754098],
      [11000, 0.754098],
      [1700, 1],
      [1700, 1],
      [0, 0],
    ])
    const own = await rows('retention', { query_type: 'revenue_cohort_matrix', ...ALL }, BY_CURRENCY)
    const ofEuros = own.filter(({ currency, cohort_month }) => currency === 'EUR' && cohort_month === '2025-01-01')
    expect(ofEuros.map((row) => [row['mrr'], row['gross_retention_rate']])).toEqual([
      [2000, 1],
      [7000, 1],
      [7000, 1],
      [0, 0],
      [0, 0],
    ])
  })

  it('count once in the lifetime value of their cohort, and once in each currency in which they had MRR (D51)', async () => {
    const cohorts = async (spec: object) =>
      (await rows('ltv', { query_type: 'cohort', ...ALL }, spec))
        .filter((row) => row['customer_count'] !== 0)
        .map(({ currency = null, cohort_month, customer_count, total_revenue }) => [
          currency,
          cohort_month,
          customer_count,
          total_revenue,
        ])
    expect(await cohorts({})).toEqual([
      [null, '2025-01-01', 2, 24700],
      [null, '2025-03-01', 1, 1700],
    ])
    const own = await cohorts(BY_CURRENCY)
    expect(own.sort((a, b) => `${a}`.localeCompare(`${b}`))).toEqual([
      ['EUR', '2025-01-01', 2, 12000],
      ['EUR', '2025-03-01', 1, 1000],
      ['USD', '2025-01-01', 2, 11000],
      ['USD', '2025-03-01', 1, 500],
    ])
    expect(await cohorts({ filters: { paid_at: { '>=': '2025-03-01' } } })).toEqual([
      [null, '2025-01-01', 2, 6000],
      [null, '2025-03-01', 1, 1700],
    ])
  })

  it('are one customer each in the summary, whose figures are those of their own endpoints (I21)', async () => {
    expect((await engine().summary(APRIL)).data).toMatchObject({
      mrr: 12700,
      arpu: 4233.33,
      active_customers: 3,
      active_subscriptions: 4,
      net_new_mrr: -7700,
      logo_churn_rate: 0,
      revenue_churn_rate: 0.79902,
      nrr: 0.328431,
      grr: 0.132353,
      quick_ratio: 0.601036,
    })
  })

  it('have no MRR in original cents, but one in base cents (http-api.md 5)', async () => {
    const listed = async (day: string) => {
      const then = engineOf({ connector: severalCurrencies(), clock: fixedClock(new Date(`${day}T00:00:00Z`)) })
      const { rows: found } = (await then.list('customers', { order: 'id', limit: '3' }, {})).data as { readonly rows: Rows }
      return found.map(({ id, currency, mrr_cents, mrr_base_cents }) => [id, currency, mrr_cents, mrr_base_cents])
    }
    expect(await listed('2025-01-20')).toEqual([
      ['A', 'USD', 10000, 10000],
      // The account is in dollars, and all it pays is in euros.
      ['B', 'EUR', 2000, 2200],
      ['C', 'EUR', 0, 0],
    ])
    expect(await listed('2025-03-15')).toEqual([
      ['A', 'USD', null, 15500],
      ['B', 'USD', null, 3200],
      ['C', 'EUR', null, 1700],
    ])
  })

  it('go on in another currency without churn (D85)', async () => {
    const spans = [
      span('S1', 1, '2025-01-01', '2025-03-10', 2, { subscription_mrr_cents: 1000, end_reason: 'cancel' }),
      span('S2', 1, '2025-03-10', null, 2, { subscription_mrr_cents: 900, currency: 'EUR' }),
    ]
    const moved = engineOf({ connector: exampleConnector({ spans, sameLine: ['S1', 'S2'] }) })
    const { data } = await moved.query('mrr', { query_type: 'breakdown', start: '2025-03-01', end: '2025-03-31' })
    const amounts = (data as Rows).map(({ movement_type, amount_base }) => [movement_type, amount_base])
    expect(amounts.filter(([, amount]) => amount !== 0)).toEqual([['expansion', 80]])
    expect((await moved.query('churn', { query_type: 'logo', start: '2025-03-01', end: '2025-03-31' })).data).toBe(0)
  })

  describe.each(QUERIES)('%s %s', (metric, query_type, params) => {
    it('has rows that add up to each of its numbers', async () => {
      for (const spec of [{ dimensions: ['source'] }, BY_CURRENCY, { filters: { currency: 'EUR' }, dimensions: ['source'] }]) {
        const cells = await cellsOf(engine(), { name: query_type, metric, params: { query_type, ...params }, spec })
        const sums = await Promise.all(cells.map((cell) => sumOf(engine(), cell)))
        expect(cells.length).toBeGreaterThan(0)
        expect(sums).toEqual(cells.map(({ name, value }) => [name, value]))
      }
    })

    it('names a currency whose rate is missing (D14)', async () => {
      const asked = engine([]).query(metric, { query_type, ...params })
      if (query_type === 'logo') expect((await asked).data).toBe(0.333333)
      else await expect(asked).rejects.toMatchObject({ code: 'missing_fx_rate', context: { currency: 'EUR' } })
    })
  })

  it('break no identity that verify checks', async () => {
    const { checks } = await engine().verification.run(ALL)
    expect(checks.filter(({ ok }) => ok === false)).toEqual([])
    expect(checks.filter(({ ok, count }) => ok === true && count > 0).length).toBeGreaterThan(10)
  })
})

async function sumOf(engine: Engine, { name, metric, params, spec }: Awaited<ReturnType<typeof cellsOf>>[number]) {
  const { data } = await engine.metricRows(metric, { ...params }, spec)
  return [name, (data as { readonly sum: number }).sum]
}
