import type { Dialect } from '../compiler/dialect.ts'
import type { QueueLoad } from '../core/gate.ts'
import type { ReplicaLag, Snapshot, SnapshotOptions } from './snapshot.ts'

/** The lag of a server, and its version and schema. */
export interface ReplicaState extends ReplicaLag {
  readonly version: string | null
  readonly schema: string | null
}

/** The billing engine's database: reads only, bounded pool, time limits, cancellation. */
export interface Executor {
  /** Which one it is. Only a snapshot has all of it: servers of one name differ, and none has been asked before. */
  readonly dialect: Pick<Dialect, 'name'>
  /** `postgres`, `mysql`, `mariadb` or `pglite`: for messages and test names only. */
  readonly variant: string
  /** Runs `work` in one snapshot; rejects with AppError `connector_unavailable`, `overloaded` or `query_timeout`. */
  withSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>, options?: SnapshotOptions): Promise<T>
  /** Role, lag, version; never throws AppError for lag. */
  state(): Promise<ReplicaState>
  /** Write privileges the connected role holds on the schema, in plain words; empty for a read-only role. */
  writePrivileges(): Promise<readonly string[]>
  load(): QueueLoad
  close(): Promise<void>
}
