import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/facades/http/app.ts'
import type { Store } from '../../src/ports/store.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { type Pgbouncer, startPgbouncer } from '../support/databases/servers/pgbouncer.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { postgresTarget } from '../support/databases/target-postgres.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { recordedAnswers } from '../support/product/recorded-answers.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type App = ReturnType<typeof createApp>

const programs = programsOf('pgbouncer')
const server = inject('targetPlaces').find(({ name }) => name === 'postgres')
const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')

// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const isRelease = process.env['TEST_RELEASE'] !== undefined
/** A run asks a seventh of the list, a release all of it. */
const SHARE = isRelease ? 1 : 7
/** Questions at a time, more than the pooler has connections. */
const AT_ONCE = 8
const CONNECTIONS = 2

interface Question {
  readonly name: string
  readonly path: string
  readonly init?: RequestInit
}

const QUESTIONS: readonly Question[] = recordedAnswers().map((recorded) => {
  if ('path' in recorded) return { name: recorded.path, path: recorded.path }
  const { name, metric, params, spec } = recorded
  return {
    name,
    path: `/api/metrics/${metric}`,
    init: { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ params, spec }) },
  }
})

describe.skipIf(programs === undefined || server === undefined)('the recorded data behind a pooler of transactions', () => {
  let database: TestDatabase
  let place: StorePlace
  let pooler: Pgbouncer
  let cache: CountedCache
  const apps: { usual?: App; pooled?: App; cached?: App } = {}
  const closing: (() => Promise<unknown>)[] = []
  const stores: Store[] = []
  const asked = QUESTIONS.filter((_, index) => isInTurn(index, SHARE))

  const appOf = (engine: Engine): App => {
    closing.push(() => engine.close())
    return createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
  }
  const storeAt = (url: string): Store => {
    const store = createStore({ url, schema: 'side', baseDirectory: '/' })
    stores.push(store)
    return store
  }
  beforeAll(async () => {
    if (programs === undefined || server === undefined) return
    database = await sharedReal(postgresTarget(server.url))
    place = await storePlace('postgres')
    pooler = await startPgbouncer(programs, { server: server.url, mode: 'transaction', size: CONNECTIONS })
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await Promise.all(stores.map((store) => store.close()))
    await pooler?.close()
    await place?.remove()
    await database?.drop()
  })

  it('opens a store for all who open a new one at once, with fewer connections', async () => {
    const several = Array.from({ length: 5 }, () => storeAt(pooler.before(place.url)))
    await Promise.all(several.map((store) => store.open()))
    expect(await Promise.all(several.map((store) => store.version()))).toEqual([0, 0, 0, 0, 0])
    await Promise.all(several.map((store) => importFxRates(RATES, store, { maxBytes: 1_000_000 })))
    const listed = await Promise.all(several.map((store) => store.fxRates.list()))
    expect(listed.every((rates) => rates.length === listed[0]?.length && rates.length > 100)).toBe(true)
    expect(await several[0]?.version()).toBe(5)
    // Others read the server's own settings on the connections of the pooler.
    const limits = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const client = new pg.Client({ connectionString: pooler.before(place.url) })
        await client.connect()
        const { rows } = await client.query("select current_setting('lock_timeout') as limit_of_locks")
        await client.end()
        return rows
      }),
    )
    expect(limits).toEqual([1, 2, 3, 4].map(() => [{ limit_of_locks: '0' }]))
  })

  it(`answers every question as without the pooler, ${AT_ONCE} at a time`, async () => {
    const settings = { url: pooler.before(database.url), poolSize: 4 }
    const tenant = ['all']
    apps.usual = appOf(await engineOver(database, { tenant, settings: { poolSize: 2 } }))
    apps.pooled = appOf(await engineOver(database, { tenant, settings, store: storeAt(pooler.before(place.url)) }))
    const cached = await cachedEngineOver(database, { tenant, settings })
    cache = cached.cache
    apps.cached = appOf(cached.engine)
    expect(asked.length).toBeGreaterThan(QUESTIONS.length / (SHARE + 1))
    const bodyOf = async (app: App | undefined, { path, init }: Question) => {
      const response = await app?.request(path, init)
      return `${response?.status} ${await response?.text()}`
    }
    const waiting = [...asked]
    const differing: string[] = []
    const worker = async () => {
      for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
        const [usual, pooled, fromCache] = await Promise.all([
          bodyOf(apps.usual, question),
          bodyOf(apps.pooled, question),
          bodyOf(apps.cached, question),
        ])
        expect(usual, question.name).toMatch(/^200 /)
        if (pooled !== usual) differing.push(`${question.name}: ${pooled.slice(0, 200)}`)
        if (fromCache !== usual) differing.push(`${question.name}, cached: ${fromCache.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    expect(differing).toEqual([])
    expect(cache.failures()).toEqual([])
    expect(cache.answered()).toBeGreaterThan(asked.length / 2)
    const pools = await pooler.console('show databases')
    const own = pools.filter(({ database: name }) => name === new URL(database.url).pathname.slice(1))
    expect(Number(own[0]?.['current_connections'])).toBeLessThanOrEqual(CONNECTIONS)
  }, 600_000)
})
