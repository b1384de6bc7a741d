import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import type { Row } from '../../src/connector-kit/connector.ts'
import { isTrue } from '../../src/connector-kit/index.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { ratesByDay } from '../../src/query/fx-rates.ts'
import { dice } from '../support/data/histories/seeded-dice.ts'
import { fillLago, generatedLago, LAGO_RATES, type LagoHistory } from '../support/data/lago/generated/generated-lago.ts'
import { DAY, SECOND, whole } from '../support/data/lago/generated/lago-scene.ts'
import { instantOf } from '../support/data/lago/generated/lago-store.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { lagoLevels } from '../support/oracles/lago/level-loops.ts'
import { heldDifferences } from '../support/product/held-rows.ts'
import type { IdentityCase } from '../support/product/identity-cases.ts'
import { heldLines, LAGO_HELD, lagoCache } from '../support/product/lago-cache.ts'
import { EVERY_ORGANIZATION, lagoCase } from '../support/product/lago-case.ts'
import { lagoCatalog, ratesOf } from '../support/product/lago-engine.ts'
import { bySubscription, levelFaults, spanFaults } from '../support/product/ledger-faults.ts'
import { checkIdentity, IDENTITIES } from '../support/product/verified-identities.ts'

const SEED = 20261127
const SEEDS = Array.from({ length: PROPERTY_FACTOR }, (_, index) => SEED + index)
const SIZE = { customers: 40, calls: 14 }
/** Instants at which levels are compared. Half of them are those of a change, or a second before. */
const INSTANTS = 200
const HELD = LAGO_HELD.map(({ relation }) => relation)

/** The level of each external id of a customer at an instant, from spans. */
function levelsOf(spans: readonly Row[], keys: ReadonlyMap<unknown, unknown>, at: number): ReadonlyMap<string, string> {
  const instant = sqlNow(new Date(at)).slice(0, 19)
  const open = spans.filter(
    (span) => String(span['valid_from']) <= instant && (span['valid_to'] === null || String(span['valid_to']) > instant),
  )
  const lines = open.map((span): [string, string] => [
    `${span['customer_key']} ${keys.get(span['subscription_id'])}`,
    [
      span['plan'],
      span['currency'],
      span['phase_type'] === 'trial',
      isTrue(span['is_unpriced']),
      span['subscription_mrr_cents'],
    ].join(' '),
  ])
  expect(new Set(lines.map(([key]) => key)).size, `spans at ${instant} overlap`).toBe(lines.length)
  return new Map(lines.sort())
}

onPostgres('generated Lago histories', (target) => {
  describe.each(SEEDS)('seed %i', (seed) => {
    let history: LagoHistory
    let database: TestDatabase
    let data: IdentityCase
    let rows: Readonly<Record<string, readonly Row[]>>
    const rowsOf = (name: string): readonly Row[] => rows[name] ?? []
    beforeAll(async () => {
      history = generatedLago({ seed, ...SIZE })
      database = await target.createDatabase()
      await fillLago(database, history)
      data = await lagoCase(database, history, seed)
      rows = await data.relations(...HELD, 'mrr_span', 'mrr_movement')
    })
    afterAll(() => data.engine.close())

    it('keep the contracts of the relations', async () => {
      const findings = await checkConformance({
        connector: EVERY_ORGANIZATION,
        executor: database.executor(),
        catalog: lagoCatalog(),
        now: data.now,
        definitions: { ...definitionsSchema.parse({ allow_unpriced: true }), base_currency: 'USD' },
        rates: ratesByDay([...ratesOf(LAGO_RATES)], { base: 'USD', currencies: ['EUR', 'JPY', 'KWD'], through: data.now }),
      })
      expect(findings).toEqual([])
    })

    it('have spans that follow each other, and movements that add up to them (D28, I1)', () => {
      expect(spanFaults(rowsOf('mrr_span'))).toEqual([])
      expect(levelFaults(rowsOf('mrr_span'), rowsOf('mrr_movement'))).toEqual([])
      expect(bySubscription(rowsOf('mrr_span')).size).toBeGreaterThan(100)
    })

    it('have the levels that plain loops find, at random instants and at those of changes (L3 to L7)', () => {
      const levels = lagoLevels(history.store)
      const draw = dice(seed)
      const keys = new Map(rowsOf('subscription').map((row) => [row['subscription_id'], row['external_key']]))
      const changes = ['subscriptions', 'versions', 'fixed_charge_events'].flatMap((table) =>
        history.store.rows(table).map((row) => instantOf(row['timestamp'] ?? row['started_at'] ?? row['created_at'])),
      )
      let compared = 0
      for (let count = 0; count < INSTANTS; count += 1) {
        const random = history.end - draw.below(500) * DAY - draw.below(86_400) * SECOND
        const drawn = draw.chance(50) ? random : whole(draw.pick(changes)) - draw.below(2) * SECOND
        const at = Math.min(drawn, history.end)
        const wanted = [...levels(at)].map(([key, { plan, currency, isTrial, isUnpriced, cents }]): [string, string] => [
          key,
          [plan, currency, isTrial, isUnpriced, cents].join(' '),
        ])
        expect(levelsOf(rowsOf('mrr_span'), keys, at), new Date(at).toISOString()).toEqual(new Map(wanted.sort()))
        compared += wanted.length
      }
      expect(compared).toBeGreaterThan(20 * INSTANTS)
    })

    it('have the same rows in the cache, cell by cell', async () => {
      const { cache, held } = lagoCache(database.executor(), { now: () => data.now })
      try {
        const { tables } = await held()
        const stored = Object.fromEntries(Object.entries(tables).filter(([name]) => HELD.includes(name)))
        expect(heldDifferences(['straight', heldLines(rows)], ['held', stored])).toBeUndefined()
        expect(cache.failures()).toEqual([])
      } finally {
        await cache.close()
      }
    })

    it('obey the identities of verify', async () => {
      const numbered = IDENTITIES.map((identity, index) => ({ identity, index }))
      for (const { identity, index } of sampleOf(target, numbered, { first: 3 }))
        expect(await checkIdentity(identity, data, seed + index), identity.name).toBeGreaterThanOrEqual(0)
    })
  })
})
