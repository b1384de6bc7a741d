import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Workspace } from '../../src/core/workspace.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import type { Store } from '../../src/ports/store.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { beginRandomWrite } from '../support/data/histories/random-writes.ts'
import { DAY, type Dice, dice, later } from '../support/data/histories/seeded-dice.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { embeddedPlace } from '../support/databases/store-places.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { storeAt } from '../support/product/store-with-books.ts'
import { allOf, segmentId } from '../support/product/store-with-segments.ts'

type App = ReturnType<typeof createApp>

// biome-ignore lint/style/noProcessEnv: a longer or another run by hand, no product configuration
const { WRITER_ROUNDS, WRITER_SEED } = process.env
const ROUNDS = Number(WRITER_ROUNDS ?? 30)
const SEED = Number(WRITER_SEED ?? 20260711)
const ACCOUNTS = 12
const WORKSPACE: Workspace = { name: 'remembered', source_ids: ['tenant-one', 'tenant-two'] }
const AT = '2026-01-01T00:00:00.000Z'
const SEGMENT = { id: segmentId(1), name: 'Small', description: null, created_by: null, created_at: AT, updated_at: AT }
const MEDIUM = { field: 'attr.size', op: '=', value: 'small' }

/** Questions about now and about the past, with and without rates, attributes and segments. */
const PATHS = [
  '/api/metrics/mrr',
  '/api/metrics/mrr?dimensions=plan_id,customer_id',
  '/api/metrics/mrr?at=2024-05-01&dimensions=currency&format=csv',
  '/api/metrics/mrr?dimensions=attr.size',
  `/api/metrics/mrr?segment=${SEGMENT.id}`,
  '/api/metrics/mrr?range=last-12-months&interval=month',
  '/api/metrics/mrr/breakdown?range=last-90-days&dimensions=movement_source',
  '/api/metrics/churn?type=logo&range=last-90-days&interval=month',
  '/api/metrics/trials?range=last-12-months',
  '/api/metrics/ltv?range=last-12-months',
  '/api/metrics/summary',
  '/api/customers?limit=1000',
  '/api/subscriptions?limit=1000',
]

/** Seconds to the last second of the day, to midnight, to the end of the month. */
function secondsTo(now: string, end: 'last second' | 'midnight' | 'month'): number {
  const at = new Date(`${now.replace(' ', 'T')}Z`)
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
  const month = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
  return ((end === 'month' ? month : midnight) - at.getTime()) / 1_000 - (end === 'last second' ? 1 : 0)
}

oneEngineInRotation(
  'remembered answers',
  (target) => {
    let writer: BillingWriter
    let direct: App
    let cached: App
    let cache: CountedCache
    let engine: Engine
    let now = '2024-05-20 12:00:00'
    /** Snapshots that readers of the cache have opened. */
    let opened = 0
    /** The other process on the same store. */
    let other: Store
    const close: (() => Promise<unknown>)[] = []

    beforeAll(async () => {
      const { database, tables } = await fillDatabase(target, generatedHistory(SEED, ACCOUNTS))
      writer = databaseWriter(database, tables)
      const place = await embeddedPlace()
      const openStore = () => storeAt(place)
      other = openStore()
      await importFxRates(RATES_CSV, other, { maxBytes: 100_000 })
      await setSize(other, 'account-1', 'small')
      await segments(other).create({ ...SEGMENT, definition: allOf(MEDIUM) })
      const clock: Clock = { now: () => new Date(`${now.replace(' ', 'T')}Z`) }
      const options = { tenant: ['all'], clock, workspace: WORKSPACE.name, definitions: { allow_unpriced: true } }
      const directEngine = await engineOver(database, { ...options, store: openStore() })
      const wrap = (real: CacheDatabase): CacheDatabase => ({
        ...real,
        reader: {
          ...real.reader,
          withSnapshot: (work, given) => {
            opened += 1
            return real.reader.withSnapshot(work, given)
          },
        },
      })
      const made = await cachedEngineOver(database, { ...options, store: openStore() }, { wrap })
      cache = made.cache
      engine = made.engine
      close.push(
        () => directEngine.close(),
        () => made.engine.close(),
        () => other.close(),
        () => writer.close(),
        () => place.remove(),
      )
      const appOf = (engine: typeof directEngine) =>
        createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
      direct = appOf(directEngine)
      cached = appOf(made.engine)
    })
    afterAll(async () => {
      for (const one of close) await one()
    })

    it('equal direct ones after writes of billing and of the store by others, and as time passes', async () => {
      const draw = dice(SEED)
      let asked = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const done = await changeSomething(draw)
        for (const path of PATHS) {
          const [one, first, again] = [await answerOf(direct, path), await answerOf(cached, path), await answerOf(cached, path)]
          asked += 2
          expect(one, path).toMatch(/^200 /)
          expect(first, `seed ${SEED} round ${round} after ${done}: ${path} at ${now}`).toBe(one)
          expect(again, `again: seed ${SEED} round ${round} after ${done}: ${path} at ${now}`).toBe(one)
        }
      }
      expect(cache.failures()).toEqual([])
      expect(cache.answered()).toBe(asked)
      // The second answer of each pair comes from memory, and many of the first ones.
      expect(opened).toBeLessThan(asked * 0.45)
    }, 3_600_000)

    it('need nothing but the mark for a 304', async () => {
      for (const path of PATHS) {
        const { headers } = await cached.request(path)
        const before = opened
        const response = await cached.request(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
        expect([path, response.status, await response.text(), opened]).toEqual([path, 304, '', before])
        const of304 = Object.fromEntries(response.headers)
        for (const name of ['x-data-through', 'x-definitions', 'x-currency', 'x-warnings', 'etag'])
          expect(of304[name] ?? null, `${path} ${name}`).toBe(headers.get(name))
      }
    })

    it('are refused to callers who may not see them', async () => {
      const ask = (numbersOnly: boolean) => {
        const disclosed: string[] = []
        const disclosing = (names: readonly string[]) => {
          disclosed.push(...names)
          if (numbersOnly && names.length > 0) throw new AppError('forbidden', 'customers')
        }
        const options = { numbersOnly, disclosing }
        return { disclosed, answer: engine.query('mrr', {}, { dimensions: ['customer_id'] }, options) }
      }
      for (const { answer, disclosed } of [ask(false), ask(false)]) {
        await answer
        expect(disclosed).toEqual(['customer_id'])
      }
      await expect(ask(true).answer).rejects.toThrow('customers')
    })

    /** A change of the billing database, of the store, of the time, or none. */
    async function changeSomething(draw: Dice): Promise<string> {
      const change = draw.below(8)
      if (change <= 1) {
        const begun = await beginRandomWrite(writer, draw, now)
        await begun.commit()
        return begun.name
      }
      if (change === 2) {
        const value = draw.pick(['small', 'large', 'huge'])
        await setSize(other, `account-${1 + draw.below(ACCOUNTS)}`, value)
        return `size ${value}`
      }
      if (change === 3) {
        const rate = `1.${draw.below(90) + 10}`
        await importFxRates(`date,from,to,rate\n${later(now, -40 * DAY).slice(0, 10)},EUR,USD,${rate}\n`, other, {
          maxBytes: 1_000,
        })
        return `rate ${rate}`
      }
      if (change === 4) {
        const definition = draw.pick([allOf(MEDIUM), allOf({ field: 'plan_id', op: 'is_not_empty' })])
        await segments(other).update(SEGMENT.id, { definition }, AT)
        return 'segment'
      }
      if (change === 5) return 'nothing'
      const seconds = draw.pick([
        ...[1, 1, 60, 3_600, DAY, 17 * DAY],
        secondsTo(now, 'last second'),
        secondsTo(now, 'midnight'),
        secondsTo(now, 'month'),
      ])
      now = later(now, seconds)
      return `${seconds} seconds`
    }
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

function segments(store: Store) {
  const workspace = store.inWorkspace?.(WORKSPACE)
  if (workspace === undefined) throw new Error('the store has no workspaces')
  return workspace.segments
}

async function setSize(store: Store, customer_id: string, value: string): Promise<void> {
  const definition = { key: 'size', label: 'Size', type: 'string', source: 'api', description: null } as const
  await store.inWorkspace?.(WORKSPACE).attributes.change(async (writer) => {
    await writer.define({ ...definition, created_at: AT, updated_at: AT })
    await writer.put([{ key: 'size', type: 'string', source_id: 'tenant-one', customer_id, value }], 'api', AT)
  })
}

/** Status, body and headers that say something of the answer. */
async function answerOf(app: App, path: string): Promise<string> {
  const response = await app.request(path)
  const named = [...response.headers].filter(([name]) => /^x-(?!request-id)|^etag$/.test(name)).map((entry) => entry.join(': '))
  return `${response.status} ${(await response.text()).replace(/"request_id":"[^"]*"/, '')}\n${named.sort().join('\n')}`
}
