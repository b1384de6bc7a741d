import type { QueueLoad } from '../core/gate.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { CacheStatistics } from '../ports/read-through.ts'
import type { SourceFigures } from '../workspace/expenses/sources/counters.ts'

/** Counters and loads of an engine, for /readyz and /metrics; no database is asked. */
export interface EngineStatistics {
  /** Null where no pool exists. */
  readonly queues: { readonly replica: QueueLoad | null; readonly cache: QueueLoad | null }
  /** Null where answers never come from a cache. */
  readonly cache: CacheStatistics | null
  /** What has been done for sources of books; absent where there can be none. */
  readonly sources?: SourceFigures
}

/** The figures as they are now. */
export function engineStatistics({ cache, executor, store }: EngineDependencies, sources: SourceFigures): EngineStatistics {
  return {
    queues: { replica: executor.load(), cache: cache?.load() ?? null },
    cache: cache?.statistics() ?? null,
    ...(store?.enabled === true ? { sources } : {}),
  }
}
