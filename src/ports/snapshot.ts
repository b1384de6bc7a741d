import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import type { ReplicaLag } from './replica-lag.ts'
import type { Row } from './rows.ts'

/** One repeatable-read, read-only transaction. */
export interface Snapshot {
  readonly dialect: Dialect
  query(statement: Statement): Promise<readonly Row[]>
  /** Rows as they arrive, memory flat. */
  stream(statement: Statement): AsyncIterable<Row>
}

export interface SnapshotOptions {
  readonly signal?: AbortSignal
  /** Called once, when the waiting for a connection is over and before the snapshot begins. */
  readonly onTurn?: () => void
  /** Called before the snapshot begins, each time it is tried, with what the server says on the same connection (replica-lag.ts). */
  readonly onReplicaLag?: (replicaLag: ReplicaLag) => void
}
