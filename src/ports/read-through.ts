import type { SqlCatalog } from '../compiler/catalog.ts'
import type { Definitions } from '../core/definitions.ts'
import type { QueueLoad } from '../core/gate.ts'
import type { ConnectorSession } from './session.ts'
import type { ReplicaLag, Snapshot } from './snapshot.ts'

/** The moment that the cache is brought up to, and what holds in it. */
export interface FeedRequest {
  readonly now: Date
  readonly definitions: Definitions
}

/** What a request finds in the cache: as new as the replica was when the request came, or newer. */
export interface CacheReading {
  readonly session: ConnectorSession
  /** The metrics' own templates over the tables of the cache. */
  readonly catalog: SqlCatalog
  readonly snapshot: Snapshot
  /** The lag of the replica just before the snapshot that the cache was brought up to. */
  readonly replicaLag: ReplicaLag
}

export interface CacheState {
  readonly status: 'idle' | 'filling' | 'ready' | 'failed'
  /** Accounts held, or read so far. */
  readonly accounts: number
  /** Why the last filling failed; absent where none has, and where the reason is for the log alone. */
  readonly reason?: string
}

/** What the cache has done since the process started. */
export interface CacheStatistics extends CacheState {
  /** Instant of the replica's snapshot that the cache was brought up to last; null before the first filling. */
  readonly snapshot_at: string | null
  readonly answered: number
  /** Requests that the cache left to the replica, by reason (src/mirror/health.ts). */
  readonly declined: Readonly<Record<string, number>>
}

/** The read-through cache: rows of the base relations in a database of this process, brought up to date before each answer. */
export interface ReadThrough {
  /** Begins to fill; before, nothing is answered from it unless it is required. */
  start(): void
  /**
   * Runs `work` on the cache; null where only the replica can answer now. A failure of the cache's own is told elsewhere. `request` is
   * asked for when the waiting is over, just before the replica's snapshot begins that the cache is brought up to.
   */
  read<T>(
    request: () => FeedRequest,
    work: (reading: CacheReading) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ value: T } | null>
  /** Starts it and resolves when it is filled, or has failed; rejects with the signal's reason. */
  ready(signal?: AbortSignal): Promise<CacheState>
  state(): CacheState
  /** How much its readers have to do; null while it holds nothing. */
  load(): QueueLoad | null
  /** The state with what it has done so far. */
  statistics(): CacheStatistics
  /** The same after a sign of life of its database, waited for a moment; one that fails is filled anew, and says so. */
  probe(): Promise<CacheStatistics>
  close(): Promise<void>
}
