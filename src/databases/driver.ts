import { createRequire } from 'node:module'
import type mysql from 'mysql2'
import type pg from 'pg'
import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Row } from '../ports/rows.ts'
import type { FailureKind } from './failures.ts'

/** One connection on loan from a driver's pool. Statements come one at a time; every method rejects with the driver's own error. */
export interface DriverSession {
  /** Opens the read-only repeatable-read transaction with its session settings. */
  begin(): Promise<void>
  /** Gives all rows of the statement. */
  query(statement: Statement): Promise<readonly Row[]>
  /** Gives the rows in batches and fetches the next one when it is asked for. A reader that leaves early stops the statement. */
  batches(statement: Statement): AsyncIterable<readonly Row[]>
  /** Ends the transaction. */
  end(): Promise<void>
  /** Asks the server to stop the statement that runs on this connection; never rejects. */
  cancel(): Promise<void>
  /** Gives the connection back for reuse. */
  release(): void
  /** Closes the connection; may be called twice. */
  destroy(): void
}

/** What differs between database drivers; snapshot.ts does the rest. */
export interface Driver {
  /** `postgres`, `mysql`, `mariadb`, `pglite` or `duckdb`: for messages and names of tests. */
  readonly variant: string
  /** Host and port of the server; undefined where there is none. */
  readonly place?: string | undefined
  /** What a failed connection means, in the words of the address, where TLS has to do with it. */
  readonly explain?: (error: unknown) => string | undefined
  /** The dialect of the server, once that has told what it is. */
  readonly dialect: Dialect
  /** How long the server lets one statement run, milliseconds; undefined where nothing limits it. */
  readonly statementTimeoutMs: number | undefined
  /** A connection that takes longer than this to open or close a transaction counts as lost, milliseconds; undefined where none can be. */
  readonly connectTimeoutMs: number | undefined
  /** Takes a connection of the pool, with its session settings made. */
  connect(): Promise<DriverSession>
  /** Says what a driver's error means. `elapsedMs` is how long the statement ran, which tells a time limit from a cancel. */
  failureKind(error: unknown, elapsedMs: number): FailureKind
  close(): Promise<void>
}

/** Awaits the action. After `limitMs` (never, when undefined) it calls `giveUp` once, which must make the action resolve or reject. */
export async function withDeadline<T>(limitMs: number | undefined, giveUp: () => void, action: () => Promise<T>): Promise<T> {
  const watchdog = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
  try {
    return await action()
  } finally {
    clearTimeout(watchdog)
  }
}

const load = createRequire(import.meta.url)

/** The driver of PostgreSQL, loaded when it is first wanted: a process speaks to one kind of server, and most commands to none. */
export function pgDriver(): typeof pg {
  return load('pg') as typeof pg
}

/** The driver of MySQL and MariaDB, loaded when it is first wanted. */
export function mysqlDriver(): typeof mysql {
  return load('mysql2') as typeof mysql
}
