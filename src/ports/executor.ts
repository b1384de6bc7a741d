import type { Dialect } from '../compiler/dialect.ts'
import type { QueueLoad } from '../core/gate.ts'
import type { ReplicaLag, Snapshot, SnapshotOptions } from './snapshot.ts'

/** The lag of a server, and its version and schema. */
export interface ReplicaState extends ReplicaLag {
  readonly version: string | null
  readonly schema: string | null
}

/** The size of tables, by the statistics of their server. */
export interface TableSizes {
  readonly rows: number
  /** Without indexes. */
  readonly bytes: number
  /** Memory in which the server keeps tables. Null if it does not know it. */
  readonly memory_bytes: number | null
}

/** The billing engine's database: reads only, bounded pool, time limits, cancellation. */
export interface Executor {
  /** The name of the dialect. The full dialect depends on the connected server, so only an open snapshot has it. */
  readonly dialect: Pick<Dialect, 'name'>
  /** `postgres`, `mysql`, `mariadb` or `pglite`: for messages and test names only. */
  readonly variant: string
  /** Runs `work` in one snapshot. AppError `connector_unavailable`, `overloaded` or `query_timeout`. */
  withSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>, options?: SnapshotOptions): Promise<T>
  /** Role, lag, version. Never throws AppError for lag. */
  state(): Promise<ReplicaState>
  /**
   * Write privileges of the connected role on the schema, in plain words. Empty for a read-only role. A server that tells no rights is asked about
   * these tables of the billing engine.
   */
  writePrivileges(tables?: readonly string[]): Promise<readonly string[]>
  /** The size of these tables, read in an open snapshot. Null: the database is embedded. */
  tableSizes(snapshot: Snapshot, tables: readonly string[]): Promise<TableSizes | null>
  load(): QueueLoad
  close(): Promise<void>
}
