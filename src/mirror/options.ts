import type { SqlCatalog } from '../compiler/catalog.ts'
import type { CacheFeed, FeedRequest } from '../connector-kit/cache-feed.ts'
import type { CacheDatabase } from '../ports/cache-database.ts'
import type { Executor } from '../ports/executor.ts'
import type { CacheState } from '../ports/read-through.ts'

/** How long the cache waits for what, in milliseconds. */
export interface Patience {
  /** A request waits this long for its turn before it is left to the replica: as long as a statement may take. */
  readonly waitMs: number
  /** A filling, a refresh or an answer may be silent this long: as long as a statement may take, and its database to give it up. */
  readonly silenceMs: number
  /** After its first failure a filling is tried again after this time. */
  readonly retryMs: number
}

export interface ReadThroughOptions {
  /** Two connections of the cache's own, so that a filling takes none from the requests and no request keeps a refresh waiting. */
  readonly ownExecutor: Executor
  readonly createFeed: () => CacheFeed
  readonly openDatabase: () => Promise<CacheDatabase>
  /** Called when the cache first answers: many a process ends before. */
  readonly catalog: () => SqlCatalog
  /** Gives the present instant, which the cache follows, and the definitions. */
  readonly request: () => FeedRequest
  /** When true, the first request starts the cache if nobody did, and requests wait until it is filled. */
  readonly isRequired: boolean
  /** When absent, the patience that goes with statements of 30 seconds. */
  readonly patience?: Patience | undefined
  readonly onProgress: (state: CacheState) => void
  readonly onFailure: (error: unknown) => void
}

/** How much longer than a statement's time limit its database may take to report that it was exceeded, milliseconds. */
const GRACE_MS = 15_000
const RETRY_MS = 60_000

/** The patience that goes with a time limit of statements in milliseconds. */
export function patienceFor(statementTimeoutMs: number): Patience {
  return { waitMs: statementTimeoutMs, silenceMs: statementTimeoutMs + GRACE_MS, retryMs: RETRY_MS }
}
