import { AppError } from '../core/errors.ts'
import type { ReadThrough } from '../ports/read-through.ts'
import type { Engine } from './contract.ts'

/** The calls that are about the cache itself and not about an answer. */
type CacheCalls = Pick<Engine, 'clearCache' | 'copyCache'>

/** The engine's calls for its cache. Undefined: there is none, and each call refuses. */
export function cacheCalls(cache: ReadThrough | undefined): CacheCalls {
  const present = (): ReadThrough => {
    if (cache !== undefined) return cache
    throw new AppError(
      'unsupported_by_connector',
      'There is no cache: cache.mode is off, or the database is embedded or on Trino.',
    )
  }
  return {
    async clearCache() {
      const held = present()
      await held.clear()
      return { is_filling: held.state().status === 'filling' }
    },
    async copyCache(directory, { signal } = {}) {
      return present().copy(directory, signal)
    },
  }
}
