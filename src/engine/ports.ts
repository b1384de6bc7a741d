import type { Dialect } from '../compiler/dialect.ts'
import type { InlineColumn } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type { FxRate } from '../core/fx-rate.ts'

export type { FxRate } from '../core/fx-rate.ts'

/**
 * A row as the executors return it, exact on every engine: 64-bit integers and decimals as text, small integers as number,
 * booleans as boolean (MySQL: 0 or 1), instants `YYYY-MM-DD HH:MM:SS`, days `YYYY-MM-DD`, JSON and text as text.
 */
export type Cell = string | number | boolean | null
export type Row = Readonly<Record<string, Cell>>

/** One repeatable-read, read-only transaction. */
export interface Snapshot {
  readonly dialect: Dialect
  query(statement: Statement): Promise<readonly Row[]>
  /** Rows as they arrive, memory flat. */
  stream(statement: Statement): AsyncIterable<Row>
}

export interface ReplicaState {
  readonly role: 'replica' | 'primary' | 'unknown'
  readonly lag_seconds: number | null
  /** UTC instant up to which the replica has applied the primary's writes; null when it is not behind or unknown. */
  readonly data_through: string | null
  readonly version: string | null
  readonly schema: string | null
}

/** The billing engine's database: reads only, bounded pool, time limits, cancellation. */
export interface Executor {
  readonly dialect: Dialect
  /** `postgres`, `mysql`, `mariadb` or `pglite`: for messages and test names only. */
  readonly variant: string
  /** Runs `work` in one snapshot; rejects with AppError `connector_unavailable` or `query_timeout`. */
  withSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>, options?: { readonly signal?: AbortSignal }): Promise<T>
  /** Role, lag, version; never throws AppError for lag. */
  state(): Promise<ReplicaState>
  /** Write privileges the connected role holds on the schema, in plain words; empty for a read-only role. */
  writePrivileges(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The cache's own database, private to this process and disposable. */
export interface CacheDatabase {
  /** Reads: each snapshot sees what was committed when it began. */
  readonly reader: Executor
  /** Runs `work` in one transaction: all of it or nothing. One writer at a time. */
  write<T>(work: (writer: CacheWriter) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface CacheWriter {
  readonly dialect: Dialect
  query(statement: Statement): Promise<readonly Row[]>
  /** Appends rows to a table, cells by column name. */
  append(table: string, columns: readonly InlineColumn[], rows: Iterable<Row>): Promise<void>
}

/** The side schema's exchange rates. */
export interface FxRateStore {
  /** All rates into `to`, by currency and date. */
  ratesInto(to: string): Promise<readonly FxRate[]>
  list(): Promise<readonly FxRate[]>
  /**
   * Inserts or replaces in one transaction, as the rates arrive; of two for the same day and pair the later wins.
   * When the iterable fails nothing is written. Returns how many rates were taken.
   */
  upsert(rates: Iterable<FxRate> | AsyncIterable<FxRate>): Promise<number>
}

/** The side schema ("store"): opened and migrated when a request first needs it. */
export interface Store {
  /** False when switched off (`store.url` = `none`): everything else then rejects with `unsupported_by_connector`. */
  readonly enabled: boolean
  readonly fxRates: FxRateStore
  /** Raised by every write to the side schema: unchanged means that nothing in it has changed. */
  version(): Promise<number>
  /** Opens if need be and asks for a sign of life; AppError `connector_unavailable`. */
  ping(): Promise<void>
  /** Opens and migrates now; AppError `connector_unavailable` when it cannot. */
  open(): Promise<void>
  close(): Promise<void>
}
