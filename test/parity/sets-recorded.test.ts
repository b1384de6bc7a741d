import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import type { Engine } from '../../src/engine/contract.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { OPTION_SETS } from '../support/product/option-sets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { bodyOf, everyMetric, type Question } from './every-metric.ts'

const YEAR = { start: '2025-11-01', end: '2026-10-31' }

const NAMES = [...Object.keys(OPTION_SETS), 'killbill-analytics']

/**
 * Sets that change nothing here: no invoice of the recording has tax, and no customer replaces a subscription. `paid-options.test.ts` and
 * `swap-window.test.ts` show what the options change.
 */
const WITHOUT_EFFECT: readonly string[] = ['taxless', 'swapped']

interface Bridge {
  readonly measure: string
  readonly steps: readonly { readonly option: string; readonly difference: number }[]
}

interface Page {
  readonly sum: number
  readonly rows: readonly { readonly difference: number }[]
}

const sumOf = (rows: Page['rows']) => rows.reduce((sum, { difference }) => sum + difference, 0)

firstEngineAndOneOther('definition sets over the recording', (target) => {
  let database: TestDatabase
  let direct: Engine
  let cached: { readonly engine: Engine; readonly cache: CountedCache }
  beforeAll(async () => {
    database = await sharedReal(target)
    const options = { tenant: ['all'], sets: OPTION_SETS, definitions: { allow_unpriced: true } }
    direct = await engineOver(database, options)
    cached = await cachedEngineOver(database, options)
  })
  afterAll(async () => {
    await direct?.close()
    await cached?.engine.close()
    await database?.drop()
  })

  it.each(sampleOf(target, NAMES, { first: 5, others: 7 }))(
    '%s: every metric is the same straight and from the cache, and one differs from that of the default if the option has an effect',
    async (definitions) => {
      const before = cached.cache.answered()
      const questions = everyMetric(YEAR, { definitions })
      for (const { name, ask } of questions) expect(bodyOf(await ask(cached.engine)), name).toBe(bodyOf(await ask(direct)))
      expect(cached.cache.answered() - before).toBe(questions.filter(({ isCached }) => isCached).length)
      expect(cached.cache.failures()).toEqual([])
      const answers = async (asked: readonly Question[]) =>
        Promise.all(asked.map(async ({ ask }) => bodyOf(await ask(cached.engine))))
      const isChanged = !isDeepStrictEqual(await answers(questions), await answers(everyMetric(YEAR)))
      expect(isChanged).toBe(!WITHOUT_EFFECT.includes(definitions))
    },
  )

  it.each(sampleOf(target, NAMES, { first: 3, others: 7, shift: 1 }))(
    '%s: the movements of each month are the difference of its levels (I2, I4)',
    async (definitions) => {
      const rows = (await cached.engine.query('mrr', { query_type: 'waterfall', ...YEAR, definitions })).data
      const months = rows as Record<string, number>[]
      expect(months).toHaveLength(12)
      for (const [index, month] of months.entries()) {
        const {
          starting_mrr = 0,
          ending_mrr = 0,
          new: fresh = 0,
          expansion = 0,
          contraction = 0,
          churn = 0,
          reactivation = 0,
          fx_effect = 0,
        } = month
        expect(starting_mrr + fresh + expansion + contraction + churn + reactivation + fx_effect).toBe(ending_mrr)
        if (index > 0) expect(starting_mrr).toBe(months[index - 1]?.['ending_mrr'])
      }
      const level = async (at: string) => (await direct.query('mrr', { query_type: 'current', at, definitions })).data
      expect([months[0]?.['starting_mrr'], months[11]?.['ending_mrr']]).toEqual([
        await level('2025-10-31'),
        await level(YEAR.end),
      ])
    },
  )

  const PAIRS = NAMES.map((name) => ['default', name] as const)
  it.each(sampleOf(target, PAIRS, { first: 5, others: 7 }))(
    'bridge from %s to %s: no scalar of any metric has a residual, and the rows of each step add up to its difference (D70)',
    async (from, to) => {
      let scalars = 0
      let changed = 0
      for (const { name: metric, queries } of BILLING_METRICS)
        for (const [query_type, { inputs, plain, rows = {} }] of Object.entries(queries)) {
          if (plain instanceof z.ZodArray || plain instanceof z.ZodObject) continue
          const dates = paramsForDays(inputs, YEAR)
          const { data } = await cached.engine.bridge(metric, { query_type, ...dates, from, to })
          expect(data, `${metric}.${query_type}`).toMatchObject({ residual: 0 })
          scalars += 1
          const { measure, steps } = data as Bridge
          if (rows[measure] === undefined) continue
          for (const { option, difference } of steps) {
            const asked = { query_type, ...dates, from, to, measure, bridge_step: option }
            const page = (await cached.engine.metricRows(metric, asked, {}, { isWhole: true })).data as Page
            expect([page.sum, sumOf(page.rows)], `${metric}.${query_type} ${option}`).toEqual([difference, difference])
            expect(page.rows.filter((row) => row.difference === 0)).toEqual([])
            expect((await direct.metricRows(metric, asked, {}, { isWhole: true })).data).toEqual(page)
            changed += page.rows.length
          }
        }
      expect(scalars).toBeGreaterThan(8)
      if (to === 'killbill-analytics') expect(changed).toBeGreaterThan(50)
    },
  )
})
