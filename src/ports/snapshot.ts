import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import { InternalError } from '../core/errors.ts'
import type { CacheColumn } from './cache-database.ts'
import type { Row } from './rows.ts'

/** One repeatable-read, read-only transaction. */
export interface Snapshot {
  readonly dialect: Dialect
  query(statement: Statement): Promise<readonly Row[]>
  /** Yields the rows as they arrive, in constant memory. */
  stream(statement: Statement): AsyncIterable<Row>
  /** Present if the server writes CSV itself. */
  readonly csv?: CsvWriter
  /**
   * True if the rows are recorded for other processes, or come from such a record. A connector then sends every statement that its session needs,
   * and takes nothing from its own memory.
   */
  readonly isRecorded?: true
  /** Present if the database has a client into which a person can paste statements. */
  readonly client?: ClientScript
}

/** Statements that give a client of the database the settings of a snapshot. */
export interface ClientScript {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Writes rows as the server's own CSV: nulls are empty, and empty texts are quoted. Instants are UTC, booleans `t` and `f` or `1` and `0`. */
export interface CsvWriter {
  /** The dialect of the statements that it takes. */
  readonly dialect: Dialect
  /**
   * Writes the rows of a select to a file, and resolves to the number of rows that the server says that it has sent. Undefined if it does not say
   * so. A row limit of the server changes this number too.
   */
  write(statement: Statement, columns: readonly CacheColumn[], file: string): Promise<number | undefined>
  /** The number of rows of such a select, counted by the server in a separate statement. Undefined if it does not come. */
  count(statement: Statement): Promise<number | undefined>
}

export interface SnapshotOptions {
  readonly signal?: AbortSignal
  /** Called once, after the wait for a connection and before the snapshot begins. */
  readonly onTurn?: () => void
  /** Called with the lag that the server reports on the same connection, before each attempt to begin the snapshot. */
  readonly onReplicaLag?: (replicaLag: ReplicaLag) => void
}

/** The role of a server, and its lag behind the primary. */
export interface ReplicaLag {
  readonly role: 'replica' | 'primary' | 'unknown'
  /** Whole seconds. 0: the replica has applied everything it received and still listens. Null for a primary or an unknown lag. */
  readonly lag_seconds: number | null
  /** UTC instant up to which the replica has surely applied the primary's writes. Null for a primary, or if unknown. */
  readonly data_through: string | null
  /** The reason why the replica may be out of date, as half a sentence. Null if there is no such reason. */
  readonly doubt: string | null
  /** A sentence that says why the rows are too old, whatever the lag. Absent: they are not. */
  readonly tooOld?: string | undefined
}

/** The lag of a primary server. */
export const PRIMARY: ReplicaLag = { role: 'primary', lag_seconds: null, data_through: null, doubt: null }

/**
 * Runs `work` in one snapshot, with the lag that its server reports just before. The lag is read on the same connection and outside the
 * snapshot: inside it, a standby could report more than the snapshot shows.
 */
export function withReplicaLag<T>(
  executor: { withSnapshot<R>(work: (snapshot: Snapshot) => Promise<R>, options?: SnapshotOptions): Promise<R> },
  work: (snapshot: Snapshot, replicaLag: ReplicaLag) => Promise<T>,
  options: SnapshotOptions = {},
): Promise<T> {
  let known: ReplicaLag | undefined
  const onReplicaLag = (replicaLag: ReplicaLag) => {
    known = replicaLag
  }
  return executor.withSnapshot(
    async (snapshot) => {
      if (known === undefined) throw new InternalError('A snapshot began before the lag of its server was read.')
      return work(snapshot, known)
    },
    { ...options, onReplicaLag },
  )
}
