import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillWorkedStripe, WORKED_NOW, WORKED_RATES } from '../support/data/stripe/worked-rows.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const SPRING = { start: '2025-03-01', end: '2025-05-31' }
const ALL = { start: '2025-01-01', end: '2025-05-31' }

/** Day, subscription, type and base cents of each movement. */
const MOVEMENTS = `
  01-01 S5 new 1000 | 01-05 S1 new 8333 | 01-15 S8 new 6000 | 01-20 S6 new 5000 | 01-24 S2 new 2900 | 01-25 S9 new 2900
  02-01 S3 new 11000 | 02-01 S5 expansion 600 | 02-10 S9 expansion 5000 | 03-01 S5 expansion 150 | 03-20 S2 expansion 5000
  03-20 S6 churn -5000 | 04-01 S5 expansion 250 | 04-15 S8 churn -6000 | 05-01 S3 expansion 8200 | 05-01 S5 contraction -100
  05-15 S7 reactivation 4000 | 05-24 S2 churn -7900 | 05-25 S9 contraction -5000 | 06-01 S5 contraction -41`
  .split(/[|\n]/)
  .flatMap((line) => line.trim() || [])

onPostgres('the worked example as Stripe and its mirror write it', (target) => {
  describe.each(['straight', 'from the cache'])('%s', (mode) => {
    let engine: Engine
    beforeAll(async () => {
      const database = await target.createDatabase()
      await fillWorkedStripe(database)
      const onCache = () => {}
      engine = await stripeEngine(database, { now: WORKED_NOW, rates: WORKED_RATES, ...(mode === 'straight' ? {} : { onCache }) })
    })
    afterAll(() => engine.close())
    const ask = async (metric: string, params: Readonly<Record<string, string>>) => (await engine.query(metric, params)).data
    const rows = async (metric: string, params: Readonly<Record<string, string>>) => (await ask(metric, params)) as Rows

    it('has the movements', async () => {
      const changes = await engine.rows.getSubscriptionChanges('2025-01-01', '2025-06-04')
      const lines = changes.map(
        ({ occurred_at, subscription_id, type, amount_usd_cents }) =>
          `${occurred_at.slice(5, 10)} ${subscription_id} ${type} ${amount_usd_cents}`,
      )
      expect(lines.sort()).toEqual([...MOVEMENTS].sort())
    })

    it('has the MRR at the ends of the months', async () => {
      const series = await rows('mrr', { query_type: 'series', ...ALL, interval: 'month' })
      expect(series.map((row) => row['mrr'])).toEqual([26_133, 42_733, 42_883, 37_133, 36_333])
    })

    it('has the breakdown, the churn, the retention and the quick ratio of the spring', async () => {
      const breakdown = await rows('mrr', { query_type: 'breakdown', ...SPRING })
      const amounts = Object.fromEntries(breakdown.map((row) => [row['movement_type'], row['amount_base']]))
      expect(amounts).toMatchObject({ new: 0, expansion: 13_600, contraction: -5_100, churn: -18_900, reactivation: 4_000 })
      expect(await ask('churn', { query_type: 'logo', ...SPRING })).toBe(Number((2 / 7).toFixed(6)))
      expect(await ask('churn', { query_type: 'revenue', ...SPRING })).toBe(Number((18_900 / 42_733).toFixed(6)))
      expect(await ask('retention', { query_type: 'nrr', ...SPRING })).toBe(Number((32_333 / 42_733).toFixed(6)))
      expect(await ask('retention', { query_type: 'grr', ...SPRING })).toBe(Number((23_733 / 42_733).toFixed(6)))
      expect((await engine.summary(SPRING)).data).toMatchObject({ quick_ratio: Number((17_600 / 24_000).toFixed(6)) })
    })

    it('has the trials, the usage and the revenue of the cohorts', async () => {
      expect(await ask('trials', { query_type: 'funnel', ...ALL })).toMatchObject({ started: 2, converted: 1, expired: 1 })
      const usage = await rows('usage_revenue', { query_type: 'series', ...ALL })
      expect(usage.map((row) => row['revenue'])).toEqual([600, 900, 1_500, 300, 777])
      const revenue = await rows('ltv', { query_type: 'cohort', ...ALL })
      expect(revenue.slice(0, 2).map((row) => [row['customer_count'], row['total_revenue']])).toEqual([
        [6, 188_534],
        [1, 54_200],
      ])
    })

    it('warns of nothing but what is inferred, and says how far the mirror is complete', async () => {
      const { meta } = await engine.query('mrr', { at: '2025-05-31' })
      expect([meta.warnings.map(({ code }) => code), meta.data_through]).toEqual([['inferred'], '2025-06-01T12:00:00.000Z'])
    })
  })
})
