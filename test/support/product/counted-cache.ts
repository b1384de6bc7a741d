import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import type { Engine } from '../../../src/engine/contract.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { ReadThrough } from '../../../src/ports/read-through.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import { type CacheOptions, cacheOver, type EngineOptions, engineOver } from './recorded-engine.ts'

/** A cache that says how many answers came from it and what went wrong inside. */
export interface CountedCache extends ReadThrough {
  answered(): number
  failures(): readonly unknown[]
}

/** The cache over an executor, counted. */
export function countedCache(executor: Executor, connector: DatabaseConnector, options: CacheOptions): CountedCache {
  let answered = 0
  const failures: unknown[] = []
  const cache = cacheOver(executor, connector, { ...options, onFailure: (error) => failures.push(error) })
  return {
    ...cache,
    async read(request, work, signal, recall) {
      const answer = await cache.read(request, work, signal, recall)
      if (answer !== null) answered += 1
      return answer
    },
    answered: () => answered,
    failures: () => failures,
  }
}

/** The real engine over a counted cache of the whole database. */
export async function cachedEngineOver(
  database: TestDatabase,
  options: Omit<EngineOptions, 'cache'> = {},
  cacheOptions: Partial<CacheOptions> = {},
): Promise<{ readonly engine: Engine; readonly cache: CountedCache }> {
  const made: CountedCache[] = []
  const engine = await engineOver(database, {
    ...options,
    cache: (executor, connector, definitions, clock) => {
      const cache = countedCache(executor, connector, { clock, definitions, ...cacheOptions })
      made.push(cache)
      return cache
    },
  })
  const [cache] = made
  if (cache === undefined) throw new Error('the engine made no cache')
  return { engine, cache }
}
