import type { SqlCatalog } from '../compiler/catalog.ts'
import type { Definitions } from '../core/definitions.ts'
import type { QueueLoad } from '../core/gate.ts'
import { sqlNow } from '../core/periods.ts'
import type { DatabaseCopy } from './cache-database.ts'
import type { ConnectorSession } from './session.ts'
import type { ReplicaLag, Snapshot } from './snapshot.ts'

/** The instant for which the cache is filled or refreshed, and the definitions that apply. */
export interface FeedRequest {
  readonly now: Date
  readonly definitions: Definitions
}

/** The cache as a request reads it. Its data is at least as new as the replica was when the request arrived. */
export interface CacheReading {
  readonly session: ConnectorSession
  /** The SQL templates of the metrics under these definitions, over the tables of the cache. */
  readonly catalogOf: (definitions: Definitions) => SqlCatalog
  readonly snapshot: Snapshot
  /** The lag of the replica just before the snapshot that the cache was brought up to. */
  readonly replicaLag: ReplicaLag
  readonly mark: ChangeMark
}

/**
 * The state of the cache. As long as a request gets the same object, and its instant is in [from, to), the rows and the session have not
 * changed, and no instant in the rows has passed. Instants are text. A `to` of null means no end.
 */
export interface ChangeMark {
  readonly from: string
  readonly to: string | null
}

/** True if an instant is in [from, to). Both are text, and a `to` of null means no end. The whole second of the instant counts (D2). */
export function isWithin({ from, to }: ChangeMark, now: Date): boolean {
  const at = sqlNow(now)
  return from <= at && (to === null || at < to)
}

/** Facts about the cache that need no reader. */
export type CacheFacts = Pick<CacheReading, 'session' | 'replicaLag' | 'mark'>

/** How far a filling is. */
export interface FillProgress {
  /** Rows read from the billing database so far. */
  readonly rows: number
  /** Accounts to fill. Null until they are counted. */
  readonly accounts_total: number | null
  /** Share of the work that is done, from 0 to 1. Null until it is known. */
  readonly share: number | null
  /** Estimate of the seconds until the end. Null until there is one. */
  readonly seconds_left: number | null
}

export interface CacheState {
  readonly status: 'idle' | 'filling' | 'ready' | 'failed'
  /** Only while filling. */
  readonly progress?: FillProgress
  /** Accounts held, or read so far while filling. */
  readonly accounts: number
  /** The reason why the cache could not be filled last time. Absent without a failure, or if the reason is only for the log. */
  readonly reason?: string
}

/** Counters of the cache since the process started. */
export interface CacheStatistics extends CacheState {
  /** Instant of the replica's snapshot that the cache was last brought up to. Null before the first filling. */
  readonly snapshot_at: string | null
  readonly answered: number
  /** Requests that the cache left to the replica, by reason (src/cache/mirror/health.ts). */
  readonly declined: Readonly<Record<string, number>>
  /** Times that rows were filled again, by reason (docs/cache.md, "New fillings"). */
  readonly refills: Readonly<Record<string, number>>
}

/** A copy of the cache. */
export interface CacheCopy extends DatabaseCopy {
  /** Accounts that it holds. */
  readonly accounts: number
}

/** The read-through cache: rows of the base relations in a database of this process, brought up to date before each answer. */
export interface ReadThrough {
  /** Starts to fill, as the owner of the stored cache. Before that, the cache answers only if it is required or restored. */
  start(): void
  /**
   * Opens the cache that an earlier process has left, without filling one. The cache is closed again after a while without a `read`. Resolves to
   * null if it is open, else to the reason why not, as the end of a sentence.
   */
  restore(): Promise<string | null>
  /**
   * Runs `work` on the cache. Null if only the replica can answer now. A failure of the cache is logged, not thrown. `request` is
   * called after the wait, just before the replica's snapshot that the cache is brought up to. `recall` is called when the cache is up to
   * date. If it returns a value, `work` is not called and no reader is opened.
   */
  read<T>(
    request: () => FeedRequest,
    work: (reading: CacheReading) => Promise<T>,
    signal?: AbortSignal,
    recall?: (facts: CacheFacts) => { readonly value: T } | undefined,
  ): Promise<{ value: T } | null>
  /** Whether `work` can read a relation. The billing database answers questions about all others. */
  holds(relation: string): boolean
  /** Starts the cache and resolves when it is filled or has failed. Rejects with the signal's reason. */
  ready(signal?: AbortSignal): Promise<CacheState>
  /**
   * Removes all rows of the cache, in memory and on disk. In a service, the cache fills again. AppError `conflict` if another process has a file of
   * it open.
   */
  clear(): Promise<void>
  /**
   * Writes a copy for another service into a directory that does not exist or is empty. A service copies the cache that answers, another process
   * the one on disk. AppError `invalid_value` for a directory that cannot be used, `conflict` without a filled cache or during another copy.
   */
  copy(directory: string, signal?: AbortSignal): Promise<CacheCopy>
  state(): CacheState
  /** Load of its readers. Null while the cache holds nothing. */
  load(): QueueLoad | null
  /** The state with the counters. */
  statistics(): CacheStatistics
  /**
   * The statistics, after a short check that the cache's database answers. If it does not, the cache is filled again, and the state says
   * so.
   */
  probe(): Promise<CacheStatistics>
  close(): Promise<void>
}
