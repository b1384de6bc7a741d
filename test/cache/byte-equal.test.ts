import { afterAll, beforeAll, expect, it } from 'vitest'
import { REGISTRY } from '../../src/engine/catalog-of-metrics.ts'
import { createApp } from '../../src/http/app.ts'
import { type CountedCache, countedCache } from '../support/counted-cache.ts'
import { type OfferedRequest, offeredRequests } from '../support/offered-requests.ts'
import { engineOver } from '../support/real-engine.ts'
import { sharedReal } from '../support/shared-real.ts'
import { describeTargets } from '../support/targets.ts'

type App = ReturnType<typeof createApp>

const PATHS = [
  '/api/metrics/summary?end=2026-03-08',
  '/api/metrics/summary?start=2025-10-17&end=2026-03-08&format=csv',
  '/api/customers?limit=1000',
  '/api/subscriptions?limit=1000&format=csv',
]

describeTargets('cached answers', (target) => {
  let direct: App
  let cached: App
  let cache: CountedCache
  let requests: readonly OfferedRequest[] = []
  const close: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const database = await sharedReal(target)
    const directEngine = await engineOver(database, { tenant: ['all'] })
    const cachedEngine = await engineOver(database, {
      tenant: ['all'],
      cache: (executor, connector, definitions, clock) => {
        cache = countedCache(executor, connector, { clock, definitions })
        return cache
      },
    })
    close.push(
      () => directEngine.close(),
      () => cachedEngine.close(),
    )
    const appOf = (engine: typeof directEngine) =>
      createApp({
        engine,
        version: '0',
        corsOrigins: [],
        limits: { body_bytes: 1_000_000 },
        log: (line) => process.stderr.write(`${line}\n`),
      })
    direct = appOf(directEngine)
    cached = appOf(cachedEngine)
    requests = await offeredRequests(directEngine)
  })
  afterAll(async () => {
    for (const one of close) await one()
  })

  const compare = async (what: string, path: string, init?: RequestInit): Promise<void> => {
    const [one, other] = await Promise.all(
      [direct, cached].map(async (app) => {
        const response = await app.request(path, init)
        return `${response.status} ${await response.text()}`
      }),
    )
    expect(one, what).toMatch(/^200 /)
    if (other !== one) expect.soft(other?.slice(0, 600), what).toBe(one?.slice(0, 600))
    expect.soft(other === one, what).toBe(true)
  }

  it.each([...REGISTRY.metrics.keys()])(
    'are those of the replica, byte by byte, for everything that %s offers',
    async (metric) => {
      const before = cache.answered()
      const asked = requests.filter((request) => request.metric === metric)
      for (const { name, params, spec } of asked) {
        await compare(name, `/api/metrics/${metric}`, { method: 'POST', body: JSON.stringify({ params, spec }) })
      }
      expect(cache.failures()).toEqual([])
      expect(cache.answered() - before).toBe(asked.length)
    },
  )

  it.each(PATHS)('are those of the replica for %s', async (path) => {
    const before = cache.answered()
    await compare(path, path)
    expect(cache.failures()).toEqual([])
    expect(cache.answered() - before).toBe(1)
  })
})
