import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REGISTRY } from '../../src/engine/catalog-of-metrics.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/http/app.ts'
import { type CountedCache, cachedEngineOver } from '../support/counted-cache.ts'
import { type OfferedRequest, offeredRequests } from '../support/offered-requests.ts'
import { engineOver } from '../support/real-engine.ts'
import { sharedReal } from '../support/shared-real.ts'
import { type TestDatabase, targets } from '../support/targets.ts'

type App = ReturnType<typeof createApp>

const CACHED_PATHS = [
  '/api/metrics/summary?end=2026-03-08',
  '/api/metrics/summary?start=2025-10-17&end=2026-03-08&format=csv',
  '/api/customers?limit=1000',
  '/api/subscriptions?limit=1000&format=csv',
]
const DIRECT_PATHS = ['/api/invoices?limit=1000&start=2026-01-01']

/** At least so many requests must come from the offers, else one of them has gone silent. */
const FEWEST = 120

// The first of all is direct, so that what is compared with it is every other database and every cache.
describe(`bodies from ${targets().map(({ name }) => name)}, straight and from the cache`, () => {
  const databases: TestDatabase[] = []
  const engines: Engine[] = []
  const apps = new Map<string, App>()
  const caches = new Map<string, CountedCache>()
  let requests: readonly OfferedRequest[] = []

  beforeAll(async () => {
    for (const target of targets()) {
      const database = await sharedReal(target)
      databases.push(database)
      const direct = await engineOver(database, { tenant: ['all'] })
      const cached = await cachedEngineOver(database, { tenant: ['all'] })
      caches.set(target.name, cached.cache)
      engines.push(direct, cached.engine)
      apps.set(target.name, appOf(direct))
      apps.set(`${target.name}, cached`, appOf(cached.engine))
      requests = await offeredRequests(direct)
    }
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
    await Promise.all(databases.map((database) => database.drop()))
  })

  const bodiesOf = async (path: string, init?: RequestInit): Promise<Record<string, string>> => {
    const ask = async ([name, app]: [string, App]) => {
      const response = await app.request(path, init)
      return [name, `${response.status} ${await response.text()}`]
    }
    return Object.fromEntries(await Promise.all([...apps].map(ask)))
  }
  const expectEqual = (bodies: Record<string, string>, request: string): void => {
    const [first = '', ...others] = Object.values(bodies)
    expect(first, request).toMatch(/^200 /)
    // Not toEqual on the whole: a difference in megabytes of rows would drown the message.
    for (const other of others) expect(differing(first, other), `${request} on ${Object.keys(bodies)}`).toBeUndefined()
  }
  const answered = () => Object.fromEntries([...caches].map(([name, cache]) => [name, cache.answered()]))
  const more = (counts: Record<string, number>, count: number) =>
    Object.fromEntries(Object.entries(counts).map(([name, before]) => [name, before + count]))
  const expectNoFailure = () => {
    for (const [name, cache] of caches) expect(cache.failures(), name).toEqual([])
  }

  it('come from many requests', () => {
    expect(requests.length).toBeGreaterThanOrEqual(FEWEST)
    expect(caches.size).toBe(targets().length)
  })

  it.each([...REGISTRY.metrics.keys()])('are byte-equal for everything that %s offers (I23)', async (metric) => {
    const empty: string[] = []
    const before = answered()
    const asked = requests.filter((request) => request.metric === metric)
    for (const { name, params, spec } of asked) {
      const bodies = await bodiesOf(`/api/metrics/${metric}`, { method: 'POST', body: JSON.stringify({ params, spec }) })
      expectEqual(bodies, name)
      if (Object.values(bodies)[0] === '200 []') empty.push(name)
    }
    expectNoFailure()
    expect(answered()).toEqual(more(before, asked.length))
    // Equal because there is nothing to see proves little.
    expect(empty.length, `empty: ${empty.join('; ')}`).toBeLessThan(asked.length / 4)
  })

  it.each([...CACHED_PATHS.map((path) => ({ path, fromCache: 1 })), ...DIRECT_PATHS.map((path) => ({ path, fromCache: 0 }))])(
    'are byte-equal for $path',
    async ({ path, fromCache }) => {
      const before = answered()
      expectEqual(await bodiesOf(path), path)
      expectNoFailure()
      expect(answered()).toEqual(more(before, fromCache))
    },
  )
})

function appOf(engine: Engine): App {
  return createApp({
    engine,
    version: '0',
    corsOrigins: [],
    limits: { body_bytes: 1_000_000 },
    log: (line) => process.stderr.write(`${line}\n`),
  })
}

/** The surroundings of the first difference; undefined when there is none. */
function differing(one: string, other: string): readonly [string, string] | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 200), at + 100), other.slice(Math.max(0, at - 200), at + 100)]
}
