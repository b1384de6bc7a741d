import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'

const OPTIONS = { tenant: ['all'], definitions: { allow_unpriced: true } }

/** Customers in a bucket, of which the recording fills three. */
const BUCKET = 150

/** Part of a statement of a filling, and how many of its rows come. */
const CUTS = [
  ['counted.customer_key', 200],
  ['counted.customer_key', 0],
  ['from accounts as t', 200],
  ['from accounts as t', 0],
  ['from subscriptions as t', 500],
  ['from subscription_events as t', 1_000],
  ['from subscription_events as t', 0],
  ['from blocking_states as t', 20],
  ['from invoices as t', 1_000],
  ['from invoice_items as t', 5_000],
  ['from invoice_payments as t', 1_000],
  ['from tags as t', 3],
  ['from custom_fields as t', 100],
  ['join audit_log as t', 1],
  ['from bundles as t', 0],
  ['from bundle_history as t', 100],
] as const

describeTargets(
  'a server that sends a part of the rows',
  (target) => {
    let database: TestDatabase
    let proxy: CuttingProxy
    let direct: Engine
    let wanted: unknown
    let cached: { readonly engine: Engine; readonly cache: CountedCache } | undefined

    beforeAll(async () => {
      database = await copyOfReal(target)
      proxy = await startCuttingProxy(database.url)
      direct = await engineOver(database, OPTIONS)
      wanted = await mrr(direct)
    })
    afterEach(async () => {
      proxy.cut()
      await cached?.engine.close()
      cached = undefined
    })
    afterAll(async () => {
      await direct.close()
      await proxy.close()
    })

    const mrr = async (engine: Engine) => (await engine.query('mrr', { query_type: 'current' })).data

    const engineThrough = async (bucket?: number) => {
      const executor = () => createPostgresExecutor({ url: proxy.url, dialect: postgres, poolSize: 2, queueMs: 60_000 })
      cached = await cachedEngineOver({ ...database, executor }, OPTIONS, bucket === undefined ? {} : { bucket })
      return cached
    }

    it.each(sampleOf(target, CUTS, { first: 3 }))(
      'does not fill the cache where of "%s" %i rows come, and says so',
      async (text, limit) => {
        const { engine, cache } = await engineThrough()
        proxy.cut(text, limit)
        const { status, reason } = await cache.ready()
        const held = proxy.held()
        proxy.cut()
        // The recording has no rows of some tables that link accounts; what is not cut is filled.
        if (held === 0) return expect(status).toBe('ready')
        expect(status).toBe('failed')
        expect(reason).toMatch(/sent \d+ of (\d+|an unknown number of) rows of "(mirror|killbill)\./)
        expect((await engine.readiness()).checks.cache).toMatchObject({ status: 'failed', reason })
        expect(await mrr(engine)).toEqual(wanted)
      },
    )

    // As if a second server behind the address had a limit. The largest result of a bucket has thousands of rows.
    it.each([1_000, 1])(
      'does not fill the cache where a limit of %i rows cuts each result of the second bucket, and the number that the server says',
      async (limit) => {
        const { cache } = await engineThrough(BUCKET)
        proxy.limitCopies(limit, 'from tenants as t')
        const { status, reason } = await cache.ready()
        expect(proxy.held()).toBeGreaterThan(0)
        expect(status).toBe('failed')
        expect(reason).toContain(`sent ${limit} of`)
      },
    )

    it('leaves an answer to the replica where the rows of a change are cut, and keeps nothing of them', async () => {
      const { engine, cache } = await engineThrough()
      await mrr(engine)
      const [last] = await database.adminQuery('select max(record_id) as record_id from account_history')
      // Every account has changed, as far as its history tells.
      await database.adminQuery(
        `insert into account_history select (jsonb_populate_record(old, jsonb_build_object('record_id', ${last?.['record_id']} + row_number() over (), 'id', concat('touch-', record_id)))).*
         from account_history as old where change_type = 'INSERT'`,
      )
      proxy.cut('from subscription_events as t', 1_000)
      const before = cache.answered()
      expect(await mrr(engine)).toEqual(wanted)
      expect(proxy.held()).toBeGreaterThan(0)
      expect(cache.answered()).toBe(before)
      expect(cache.failures().map(String)).toEqual([expect.stringContaining('rows of "mirror.subscription_events"')])
      proxy.cut()
      expect(await mrr(engine)).toEqual(wanted)
      expect(cache.answered()).toBe(before + 1)
    })
  },
  { only: ['postgres'] },
)
