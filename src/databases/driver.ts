import { createRequire } from 'node:module'
import type mysql from 'mysql2'
import type pg from 'pg'
import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import type { AppError } from '../core/errors.ts'
import type { Row } from '../ports/rows.ts'
import type { ClientScript, CsvWriter } from '../ports/snapshot.ts'
import type { FailureKind } from './failures.ts'

/** A connection on loan from a driver's pool. It takes one statement at a time. Every method rejects with the driver's own error. */
export interface DriverSession {
  /** Opens the read-only repeatable-read transaction with its session settings. */
  begin(): Promise<void>
  /**
   * The same in one round trip with `ahead`, a statement without values that runs before it in its own transaction. Resolves to its rows. Absent
   * if the server takes one statement at a time.
   */
  beginAfter?(ahead: Statement): Promise<readonly Row[]>
  /** Returns all rows of the statement. */
  query(statement: Statement): Promise<readonly Row[]>
  /** Returns the rows in batches and fetches the next batch on demand. A reader that leaves early stops the statement. */
  batches(statement: Statement): AsyncIterable<readonly Row[]>
  /** Writes the rows of a statement to a file as CSV (Snapshot.csv). Absent if the server does not write CSV. */
  readonly csv?: CsvWriter
  /** Ends the transaction. */
  end(): Promise<void>
  /** Asks the server to stop the statement that runs on this connection. Never rejects. */
  cancel(): Promise<void>
  /** Gives the connection back for reuse. */
  release(): void
  /** Closes the connection. May be called twice. */
  destroy(): void
}

/** The differences between database drivers. snapshot.ts does the rest. */
export interface Driver {
  /** `postgres`, `mysql`, `mariadb`, `trino`, `pglite` or `duckdb`: for messages and names of tests. */
  readonly variant: string
  /** Host and port of the server. Undefined if there is no server. */
  readonly place?: string | undefined
  /** Explains a connection that TLS made fail: the TLS setting of the address and the remedy. Undefined for other causes. */
  readonly explain?: (error: unknown) => string | undefined
  /** The dialect of the server, once its version is known. */
  readonly dialect: Dialect
  /** Time limit that the server sets for one statement, milliseconds. Undefined if nothing limits it. */
  readonly statementTimeoutMs: number | undefined
  /** The settings of a snapshot, for a client of the server. Absent if there is no such client. */
  readonly client?: ClientScript
  /**
   * A connection that takes longer than this to open or close a transaction counts as lost, milliseconds. Undefined if
   * connections cannot be lost.
   */
  readonly connectTimeoutMs: number | undefined
  /** Takes a connection from the pool, with its session settings applied. */
  connect(): Promise<DriverSession>
  /** Classifies a driver's error. `elapsedMs` is the running time of the statement, which distinguishes a time limit from a cancel. */
  failureKind(error: unknown, elapsedMs: number): FailureKind
  /** The error of a statement of kind `refused`, if the caller or the operator can remove its cause. Absent: by the codes of all drivers. */
  readonly refusal?: (label: string, error: unknown) => AppError | undefined
  close(): Promise<void>
}

/**
 * Awaits the action. After `limitMs` it calls `giveUp` once, which must make the action resolve or reject. If `limitMs` is
 * undefined, it waits without a limit.
 */
export async function withDeadline<T>(limitMs: number | undefined, giveUp: () => void, action: () => Promise<T>): Promise<T> {
  const watchdog = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
  try {
    return await action()
  } finally {
    clearTimeout(watchdog)
  }
}

const load = createRequire(import.meta.url)

/** The driver of PostgreSQL, loaded on first use. A process connects to one kind of server, and most commands connect to none. */
export function pgDriver(): typeof pg {
  return load('pg') as typeof pg
}

/** The driver of MySQL and MariaDB, loaded on first use. */
export function mysqlDriver(): typeof mysql {
  return load('mysql2') as typeof mysql
}
