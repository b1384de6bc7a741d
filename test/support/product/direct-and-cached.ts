import type { Engine } from '../../../src/engine/contract.ts'
import { RATES_CSV } from '../data/histories/generated-history.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import { type CountedCache, cachedEngineOver } from './counted-cache.ts'
import { type CacheOptions, engineOver, ratesOnly } from './recorded-engine.ts'

/** Two engines over a generated history, of which one has a filled cache. `now` gives their time, UTC, `YYYY-MM-DD HH:MM:SS`. */
export async function directAndCached(
  database: TestDatabase,
  now: () => string,
  cacheOptions: Partial<CacheOptions> = {},
): Promise<{ readonly direct: Engine; readonly cached: { readonly engine: Engine; readonly cache: CountedCache } }> {
  const options = {
    tenant: ['all'],
    clock: { now: () => new Date(`${now().replace(' ', 'T')}Z`) },
    store: await ratesOnly(RATES_CSV),
    definitions: { allow_unpriced: true },
  }
  const direct = await engineOver(database, options)
  const cached = await cachedEngineOver(database, options, cacheOptions)
  await cached.cache.ready()
  return { direct, cached }
}
