import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { northExpected } from '../support/data/lago/north-rows.ts'
import { recordedTenants } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { compareLedger, type ExpectedLedger } from '../support/oracles/ledger-numbers.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

oneEngineInRotation('the ledger of the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  const caches: CountedCache[] = []
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) {
      engines.set(`${tenant}, straight`, await engineOver(database, { tenant: [tenant] }))
      const { engine, cache } = await cachedEngineOver(database, { tenant: [tenant] })
      await cache.ready()
      engines.set(`${tenant}, cached`, engine)
      caches.push(cache)
    }
  })

  describe.each(recordedTenants(target).flatMap((tenant) => ['straight', 'cached'].map((how) => ({ tenant, how }))))(
    '$tenant, $how',
    ({ tenant, how }) => {
      compareLedger(expectedNumbers<ExpectedLedger>(tenant, 'ledger'), () => {
        const engine = engines.get(`${tenant}, ${how}`)
        if (engine === undefined) throw new Error(`no engine for ${tenant}`)
        return engine
      })
    },
  )

  it('the cache answered, and nothing of it failed', () => {
    for (const cache of caches) {
      expect(cache.failures()).toEqual([])
      expect(cache.answered()).toBeGreaterThan(60)
    }
  })
})

onPostgres('the ledger of a Lago organization', (target) => {
  const engines = new Map<string, Engine>()
  const caches: CountedCache[] = []
  beforeAll(async () => {
    const database = await sharedNorth(target)
    engines.set('straight', await lagoEngine(database))
    engines.set('cached', await lagoEngine(database, { onCache: (cache) => caches.push(cache) }))
    for (const cache of caches) await cache.ready()
  })
  describe.each(['straight', 'cached'])('%s', (how) => {
    compareLedger(northExpected<ExpectedLedger>('ledger'), () => {
      const engine = engines.get(how)
      if (engine === undefined) throw new Error(`no engine ${how}`)
      return engine
    })
  })

  it('the cache answered, and nothing of it failed', () => {
    for (const cache of caches) {
      expect(cache.failures()).toEqual([])
      expect(cache.answered()).toBeGreaterThan(60)
    }
  })
})
