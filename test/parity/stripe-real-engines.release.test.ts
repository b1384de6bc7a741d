import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { eastExpected } from '../support/data/stripe/east-rows.ts'
import { fetchEngine, fillRealMirror, REAL_ENGINES } from '../support/data/stripe/real-engines.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { compareFigures, type Figures } from '../support/oracles/known-figures.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

const fetched = await Promise.all(REAL_ENGINES.map(async (name) => ({ name, found: await fetchEngine(name) })))

onPostgres('the figures of an account in the tables of', (target) => {
  for (const { name, found } of fetched) {
    if ('missing' in found) {
      it.skip(`${name}: left out, ${found.missing}`, () => {})
      continue
    }
    describe(`${name} ${found.version}`, () => {
      let database: TestDatabase
      let engine: Engine
      let cache: CountedCache | undefined
      beforeAll(async () => {
        database = await target.createDatabase()
        await fillRealMirror(database, name, found.folder)
        engine = await stripeEngine(database, {
          onCache: (made) => {
            cache = made
          },
        })
      })
      afterAll(async () => {
        await engine?.close()
        await database?.drop()
      })

      it('has columns that are generated from the documents, and passes the check', async () => {
        const [row] = await database.adminQuery(
          `select count(*) as generated from information_schema.columns where table_schema = 'stripe' and table_name = 'invoices' and is_generated = 'ALWAYS'`,
        )
        expect(Number(row?.['generated'])).toBeGreaterThan(20)
        const findings = new Map((await engine.check()).map(({ name: finding, message }) => [finding, message]))
        expect(findings.get('schema')).toBe('mirror of Stripe with documents (`_raw_data`)')
        expect(findings.get('subscriptions_without_row')).toMatch(/^25 /)
      })

      compareFigures({
        expected: eastExpected<Figures>('expected'),
        engine: () => engine,
        source: 'stripe',
        inTurn: (cases) => cases,
      })

      it('came from the cache', () => {
        expect(cache?.failures()).toEqual([])
        expect(cache?.answered()).toBeGreaterThan(0)
      })
    })
  }
})
