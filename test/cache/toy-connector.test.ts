import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { EXAMPLE_BOOKS } from '../support/data/example-books.ts'
import { fillToy, toyId } from '../support/data/toy-data.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { MAIN_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { type OfferedRequest, offeredRequests } from '../support/product/offered-requests.ts'
import { BOOKS, storeWithBooks } from '../support/product/store-with-books.ts'
import { toyEngine } from '../support/product/toy-engine.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')
const RANGE = { start: '2025-02-10', end: '2025-05-31' }

/** The metrics that a cache may answer, without the overview, which offers nothing. The toy does not supply the others. */
const METRICS = MAIN_METRICS.filter(({ is_overview }) => is_overview !== true).map(({ name }) => name)

describeTargets('the cache of an engine without a log of changes', (target) => {
  let database: TestDatabase
  let books: Awaited<ReturnType<typeof storeWithBooks>>
  let direct: Engine
  let cached: Engine
  let cache: CountedCache
  let offered: readonly OfferedRequest[]
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillToy(database)
    // A text may begin with a byte order mark, which decoders drop. That of the embedded database does.
    await database.adminQuery(`update toy_customer set name = '\uFEFFCustomer C' where id = '${toyId('C')}'`)
    books = await storeWithBooks(EXAMPLE_BOOKS, readFileSync(RATES, 'utf8'))
    const own = { store: books.store, workspace: BOOKS }
    direct = await toyEngine(database, {}, own)
    cached = await toyEngine(
      database,
      {},
      {
        ...own,
        cache: (...given) => {
          cache = countedCache(...given)
          return cache
        },
      },
    )
    offered = await offeredRequests(direct, RANGE, METRICS)
  })
  afterAll(async () => {
    await direct.close()
    await cached.close()
    await books.remove()
  })

  const bodies = async (ask: (engine: Engine) => Promise<{ readonly data: unknown }>) =>
    [JSON.stringify((await ask(direct)).data), JSON.stringify((await ask(cached)).data)] as const
  const expectCached = (answers: number) => {
    expect(cache.failures()).toEqual([])
    expect(cache.answered()).toBe(answers)
  }

  it.each(METRICS)('answers everything that %s offers with the same bytes', async (metric) => {
    const requests = sampleOf(
      target,
      offered.filter((request) => request.metric === metric),
      { first: 3 },
    )
    const before = cache.answered()
    const empty: string[] = []
    for (const { name, params, spec } of requests) {
      const [straight, own] = await bodies((engine) => engine.query(metric, params, spec))
      expect(own, name).toBe(straight)
      if (straight === '[]') empty.push(name)
    }
    expectCached(before + requests.length)
    // Equal because there is nothing to see proves little.
    expect(empty.length, empty.join('; ')).toBeLessThan(Math.max(1, requests.length / 2))
  })

  it.each(['customers', 'subscriptions'] as const)('lists %s with the same bytes', async (list) => {
    const before = cache.answered()
    const [straight, own] = await bodies((engine) => engine.list(list, { limit: '100' }, {}))
    expect(own).toBe(straight)
    expect(straight).toContain(target.name === 'pglite' ? '"Customer C"' : '"\uFEFFCustomer C"')
    expectCached(before + 1)
  })

  it('is filled again when a row changes, and not before', async () => {
    const mrr = () => bodies((engine) => engine.query('mrr', { at: RANGE.end }))
    expect(await mrr()).toEqual(['33433', '33433'])
    expect(cache.statistics().declined).toEqual({})
    await database.adminQuery(
      `update toy_change set seats = 9, plan = 'seats' where subscription_id = '${toyId('S3')}' and changes_at >= '2025-04-01'`,
    )
    // The stamp has moved: the replica answers, and the cache is filled again.
    expect(await mrr()).toEqual(['35833', '35833'])
    expect(cache.statistics().declined).toEqual({ outdated: 1 })
    await cache.ready()
    const before = cache.answered()
    expect(await mrr()).toEqual(['35833', '35833'])
    const [straight, own] = await bodies((engine) => engine.query('mrr', { at: RANGE.end }, { dimensions: ['plan_name'] }))
    expect(own).toBe(straight)
    expect(straight).toContain('"seats"')
    expectCached(before + 2)
    expect(cache.statistics().declined).toEqual({ outdated: 1 })
  })
})
