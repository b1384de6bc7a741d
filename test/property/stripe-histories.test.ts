import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import type { Row } from '../../src/connector-kit/connector.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { ratesByDay } from '../../src/query/fx-rates.ts'
import { DAY, dice } from '../support/data/histories/seeded-dice.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { fillGenerated, rowsBy, writeRows } from '../support/data/stripe/generated/documents.ts'
import { generatedStripe, type StripeHistory } from '../support/data/stripe/generated/lives.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { stripeLevels } from '../support/oracles/stripe/level-loops.ts'
import { heldDifferences } from '../support/product/held-rows.ts'
import type { IdentityCase } from '../support/product/identity-cases.ts'
import { ratesOf } from '../support/product/lago-engine.ts'
import { bySubscription, levelFaults, spanFaults } from '../support/product/ledger-faults.ts'
import { EVERY_ACCOUNT, STRIPE_HELD, STRIPE_RATES, stripeCase } from '../support/product/stripe-case.ts'
import { stripeCatalog } from '../support/product/stripe-engine.ts'
import { type HeldCache, textCache, textLines } from '../support/product/text-held.ts'
import { checkIdentity, IDENTITIES } from '../support/product/verified-identities.ts'

const SEED = 20261201
const SEEDS = Array.from({ length: PROPERTY_FACTOR }, (_, index) => SEED + index)
const CUSTOMERS = 60
/** Instants at which levels are compared. Half of them are those of a change, or a second before. */
const INSTANTS = 200
const HELD = STRIPE_HELD.map(({ relation }) => relation)

/** The level of each subscription at an instant, from spans. */
function levelsOf(spans: readonly Row[], at: number): ReadonlyMap<string, string> {
  const instant = sqlNow(new Date(at * 1000)).slice(0, 19)
  const open = spans.filter(
    (span) => String(span['valid_from']) <= instant && (span['valid_to'] === null || String(span['valid_to']) > instant),
  )
  const lines = open.map((span): [string, string] => [
    String(span['subscription_id']),
    [span['currency'], span['phase_type'] === 'trial', span['subscription_mrr_cents']].join(' '),
  ])
  return new Map(lines.sort())
}

onPostgres('generated histories of Stripe', (target) => {
  describe.each(SEEDS)('seed %i', (seed) => {
    let history: StripeHistory
    let database: TestDatabase
    let cache: HeldCache
    let now: number
    beforeAll(async () => {
      history = generatedStripe(seed, CUSTOMERS)
      now = history.start + 330 * DAY
      database = await target.createDatabase()
      await fillGenerated(database, history, now)
      cache = textCache(STRIPE_HELD, EVERY_ACCOUNT, database.executor({ schema: 'stripe' }), { now: () => new Date(now * 1000) })
    })
    afterAll(async () => {
      await cache.cache.close()
      await database.drop()
    })

    describe.each([
      ['after eleven months', 330],
      ['after a further change in nearly everything', 480],
    ])('%s', (_, day) => {
      let data: IdentityCase
      let rows: Readonly<Record<string, readonly Row[]>>
      const rowsOf = (name: string): readonly Row[] => rows[name] ?? []
      beforeAll(async () => {
        now = history.start + day * DAY
        await writeRows(database, rowsBy(history, now))
        data = await stripeCase(database, history, now, seed)
        rows = await data.relations(...HELD, 'mrr_span', 'mrr_movement')
      })
      afterAll(() => data.engine.close())

      it('keep the contracts of the relations', async () => {
        const findings = await checkConformance({
          connector: EVERY_ACCOUNT,
          executor: database.executor({ schema: 'stripe' }),
          catalog: stripeCatalog(),
          now: data.now,
          definitions: { ...definitionsSchema.parse({ allow_unpriced: true }), base_currency: 'USD' },
          rates: ratesByDay([...ratesOf(STRIPE_RATES)], { base: 'USD', currencies: ['EUR', 'JPY', 'KWD'], through: data.now }),
        })
        expect(findings).toEqual([])
      })

      it('have spans that follow each other, and movements that add up to them (D28, I1)', () => {
        expect(spanFaults(rowsOf('mrr_span'))).toEqual([])
        expect(levelFaults(rowsOf('mrr_span'), rowsOf('mrr_movement'))).toEqual([])
        expect(bySubscription(rowsOf('mrr_span')).size).toBeGreaterThan(100)
      })

      it('have the levels that plain loops find, at random instants and at those of changes (S4 to S19)', () => {
        const levels = stripeLevels(history, now)
        const draw = dice(seed)
        const changes = history.lives.flatMap((life) => [...life.changes, ...(life.end === undefined ? [] : [life.end])])
        let compared = 0
        for (let count = 0; count < INSTANTS; count += 1) {
          const random = now - draw.below(day * DAY)
          const at = Math.min(draw.chance(50) ? random : draw.pick(changes).at - draw.below(2), now)
          const wanted = [...levels(at)].map(([key, { currency, isTrial, cents }]): [string, string] => [
            key,
            [currency, isTrial, cents].join(' '),
          ])
          expect(levelsOf(rowsOf('mrr_span'), at), new Date(at * 1000).toISOString()).toEqual(new Map(wanted.sort()))
          compared += wanted.length
        }
        expect(compared).toBeGreaterThan(20 * INSTANTS)
      })

      it('have the same rows in the cache, cell by cell', async () => {
        const { tables } = await cache.held()
        const stored = Object.fromEntries(Object.entries(tables).filter(([name]) => HELD.includes(name)))
        expect(heldDifferences(['straight', textLines(STRIPE_HELD, rows)], ['held', stored])).toBeUndefined()
        expect(cache.cache.failures()).toEqual([])
      })

      it('obey the identities of verify', async () => {
        const numbered = IDENTITIES.map((identity, index) => ({ identity, index }))
        for (const { identity, index } of sampleOf(target, numbered, { first: 3 }))
          expect(await checkIdentity(identity, data, seed + index), identity.name).toBeGreaterThanOrEqual(0)
      })
    })
  })
})
