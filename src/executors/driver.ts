import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Row } from '../engine/ports.ts'
import type { FailureKind } from './failures.ts'

/** One connection on loan from a driver's pool. Statements come one at a time; every method rejects with the driver's own error. */
export interface DriverSession {
  /** Opens the read-only repeatable-read transaction with its session settings. */
  begin(): Promise<void>
  query(statement: Statement): Promise<readonly Row[]>
  /** Rows in batches, the next one fetched when asked for; leaving early stops the statement. */
  batches(statement: Statement): AsyncIterable<readonly Row[]>
  /** Ends the transaction. */
  end(): Promise<void>
  /** Asks the server to stop what this session runs; never rejects. */
  cancel(): Promise<void>
  /** Gives the connection back for reuse. */
  release(): void
  /** Closes the connection; may be called twice. */
  destroy(): void
}

/** What differs between database drivers; snapshot.ts does the rest. */
export interface Driver {
  readonly variant: string
  /** Of the server, once that has told what it is. */
  readonly dialect: Dialect
  /** Milliseconds that the server grants one statement; undefined where nothing limits it. */
  readonly statementTimeoutMs: number | undefined
  /** Milliseconds after which a connection that should open or close a transaction counts as lost; undefined where there is none. */
  readonly connectTimeoutMs: number | undefined
  /** A connection of the pool, its session settings made. */
  connect(): Promise<DriverSession>
  /** `elapsedMs`: how long the statement ran, to tell a time limit from a cancel. */
  failureKind(error: unknown, elapsedMs: number): FailureKind
  close(): Promise<void>
}
