import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillWorkedLago, WORKED_NOW, WORKED_RATES, workedId } from '../support/data/lago/worked-rows.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const SPRING = { start: '2025-03-01', end: '2025-05-31' }
const ALL = { start: '2025-01-01', end: '2025-05-31' }

/** Day, subscription, type and base cents of each movement. */
const MOVEMENTS = `
  01-01 S5 new 1000 | 01-05 S1 new 8333 | 01-15 S8 new 6000 | 01-20 S6 new 5000 | 01-24 S2 new 2900 | 02-01 S3 new 11000
  02-03 S5 expansion 600 | 03-03 S5 expansion 150 | 03-10 S8 expansion 600 | 03-24 S2 expansion 5000 | 04-01 S3 expansion 8200
  04-02 S5 expansion 250 | 04-10 S8 contraction -1600 | 04-20 S6 churn -5000 | 05-04 S5 contraction -100
  05-15 S7 reactivation 4000 | 05-24 S2 churn -7900`
  .split(/[|\n]/)
  .flatMap((line) => line.trim() || [])

onPostgres('the worked example as Lago writes it', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const database = await target.createDatabase()
    await fillWorkedLago(database)
    engine = await lagoEngine(database, { now: WORKED_NOW, rates: WORKED_RATES, definitions: { allow_unpriced: false } })
  })
  afterAll(() => engine.close())
  const ask = async (metric: string, params: Readonly<Record<string, string>>) => (await engine.query(metric, params)).data
  const rows = async (metric: string, params: Readonly<Record<string, string>>) => (await ask(metric, params)) as Rows

  it('has the movements', async () => {
    const names = new Map(['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8'].map((name) => [workedId(name), name]))
    const changes = await engine.rows.getSubscriptionChanges('2025-01-01', '2025-06-04')
    const lines = changes.map(
      ({ occurred_at, subscription_id, type, amount_usd_cents }) =>
        `${occurred_at.slice(5, 10)} ${names.get(subscription_id)} ${type} ${amount_usd_cents}`,
    )
    expect(lines.sort()).toEqual([...MOVEMENTS].sort())
  })

  it('has the MRR at the ends of the months', async () => {
    const series = await rows('mrr', { query_type: 'series', ...ALL, interval: 'month' })
    expect(series.map((row) => row['mrr'])).toEqual([23_233, 34_833, 40_583, 42_433, 38_433])
  })

  it('has the churn, the retention and the quick ratio of the spring', async () => {
    expect(await ask('churn', { query_type: 'logo', ...SPRING })).toBe(Number((2 / 6).toFixed(6)))
    expect(await ask('churn', { query_type: 'revenue', ...SPRING })).toBe(Number((12_900 / 34_833).toFixed(6)))
    expect(await ask('retention', { query_type: 'nrr', ...SPRING })).toBe(Number((34_433 / 34_833).toFixed(6)))
    expect(await ask('retention', { query_type: 'grr', ...SPRING })).toBe(Number((25_233 / 34_833).toFixed(6)))
  })

  it('has the ARPU and the LTV', async () => {
    expect(await ask('ltv', { query_type: 'arpu', at: '2025-05-31' })).toBe(7_686.6)
    expect(await ask('ltv', { query_type: 'simple', ...SPRING })).toBe(62_890.36)
  })

  it('has the trials, the usage and the cohorts', async () => {
    expect(await ask('trials', { query_type: 'funnel', ...ALL })).toMatchObject({ started: 2, converted: 1, expired: 1 })
    const usage = await rows('usage_revenue', { query_type: 'series', ...ALL })
    expect(usage.map((row) => row['revenue'])).toEqual([600, 900, 1_500, 300, 0])
    const matrix = await rows('retention', { query_type: 'cohort_matrix', ...ALL })
    const activeOf = (month: string) => matrix.filter((row) => row['cohort_month'] === month).map((row) => row['active_count'])
    expect(activeOf('2025-01-01')).toEqual([5, 5, 5, 4, 4])
    expect(activeOf('2025-02-01')).toEqual([1, 1, 1, 1])
    const revenue = await rows('ltv', { query_type: 'cohort', ...ALL })
    expect(revenue.slice(0, 2).map((row) => row['total_revenue'])).toEqual([116_700, 11_000])
  })
})
