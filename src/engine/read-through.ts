import type { SqlCatalog } from '../compiler/catalog.ts'
import type { FeedRequest } from '../connector-kit/cache-feed.ts'
import type { ConnectorSession, Snapshot } from '../connector-kit/connector.ts'

/** What a request finds in the cache: as new as the replica was when the request came, or newer. */
export interface CacheReading {
  readonly session: ConnectorSession
  /** The metrics' own templates over the tables of the cache. */
  readonly catalog: SqlCatalog
  readonly snapshot: Snapshot
}

export interface CacheState {
  readonly status: 'idle' | 'filling' | 'ready' | 'failed'
  /** Accounts held, or read so far. */
  readonly accounts: number
}

/** The read-through cache: rows of the base relations in a database of this process, brought up to date before each answer. */
export interface ReadThrough {
  /** Begins to fill; before, nothing is answered from it unless it is required. */
  start(): void
  /** Runs `work` on the cache; null where only the replica can answer now. A failure of the cache's own rejects. */
  read<T>(request: FeedRequest, work: (reading: CacheReading) => Promise<T>, signal?: AbortSignal): Promise<{ value: T } | null>
  /** Starts it and resolves when it is filled, or has failed. */
  ready(): Promise<CacheState>
  state(): CacheState
  close(): Promise<void>
}
