import type { Dialect } from '../compiler/dialect.ts'
import type { InlineColumn } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type {
  AttributeDefinition,
  AttributeEntry,
  AttributeNote,
  AttributeOrigin,
  AttributeValue,
  CustomerRef,
  StoredAttribute,
  StoredEntry,
} from '../core/attribute.ts'
import type { FxRate } from '../core/fx-rate.ts'
import type { SegmentChange, SegmentRecord } from '../core/segment.ts'

export type { FxRate } from '../core/fx-rate.ts'

/**
 * A row as the executors return it, exact on every engine: 64-bit integers and decimals as text, small integers as number,
 * booleans as boolean (MySQL: 0 or 1, as number or text), instants `YYYY-MM-DD HH:MM:SS`, days `YYYY-MM-DD`, JSON and text as text.
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
  /** Which one it is. Only a snapshot has all of it: servers of one name differ, and none has been asked before. */
  readonly dialect: Pick<Dialect, 'name'>
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

/** What queries read of the stored attributes. */
export interface AttributeReader {
  /** All stored definitions. */
  definitions(): Promise<readonly StoredAttribute[]>
  /** What is said of attributes that the billing engine owns. */
  notes(): Promise<readonly AttributeNote[]>
  /** The values of one key, in no order. */
  values(key: string): Promise<readonly AttributeValue[]>
}

/** The side schema's attributes of customers. */
export interface AttributeStore extends AttributeReader {
  /** Different values of a key, ascending (text by code point), at most `limit`. */
  distinctValues(definition: Pick<AttributeDefinition, 'key' | 'type'>, limit: number): Promise<readonly (string | boolean)[]>
  /** How many values each customer has, of one key or of all. */
  counts(key: string | undefined): Promise<readonly (CustomerRef & { readonly count: number })[]>
  /** The values of these customers, of one key or of all, in no order. */
  entriesOf(customers: readonly CustomerRef[], key: string | undefined): Promise<readonly StoredEntry[]>
  /** Runs `work` in one transaction, writers one after the other; when it fails nothing is written. */
  change<T>(work: (writer: AttributeWriter) => Promise<T>): Promise<T>
}

/** Changes of the attributes in one transaction. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface AttributeWriter {
  definitions(): Promise<ReadonlyMap<string, StoredAttribute>>
  notes(): Promise<ReadonlyMap<string, AttributeNote>>
  /** Inserts or replaces. */
  define(definition: StoredAttribute): Promise<void>
  note(note: AttributeNote): Promise<void>
  /** Inserts or replaces values; those that are there already stay untouched. Returns how many changed. */
  put(entries: readonly AttributeEntry[], origin: AttributeOrigin, at: string): Promise<number>
  /** False when there was no value. */
  remove(customer: CustomerRef, key: string): Promise<boolean>
}

/** What a name of a customer in an import is: account id or else external key, external key, e-mail address. */
export type IdKind = 'id' | 'external' | 'email'

export interface AttributeImportOptions {
  readonly id_column?: string | undefined
  readonly id_kind?: IdKind | undefined
  /** Told of the rows read so far, now and then. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/** Result of an import of attributes (http-api.md 7). `row` counts from 1 after the header; both lists are cut at 1,000. */
export interface AttributeImportResult {
  readonly rows_read: number
  readonly rows_upserted: number
  readonly unknown_customers: readonly string[]
  readonly keys_created: readonly string[]
  readonly cells_rejected: readonly {
    readonly row: number
    readonly key: string
    readonly value: string
    readonly reason: 'type_mismatch' | 'ambiguous_customer'
  }[]
  readonly unknown_customers_total: number
  readonly cells_rejected_total: number
}

/** What an import needs of the engine: its customers, its own attributes, the store and the time. */
export interface AttributeImportPlace {
  readonly store: AttributeStore
  readonly at: string
  /** AppError `read_only_attribute` when the billing engine owns the values of one of the keys. */
  refuseOwned(keys: readonly string[]): Promise<void>
  findCustomers(ids: readonly string[], kind: IdKind): Promise<ReadonlyMap<string, readonly CustomerRef[]>>
}

/** Imports a CSV file of attributes, streamed and in one transaction. */
export type ImportAttributes = (
  source: AsyncIterable<string | Uint8Array>,
  options: AttributeImportOptions,
  place: AttributeImportPlace,
) => Promise<AttributeImportResult>

/** What queries read of the stored segments. */
export interface SegmentReader {
  /** Definitions as they were sent, by id; an id that is not stored has no entry. */
  definitions(ids: readonly string[]): Promise<ReadonlyMap<string, unknown>>
}

/** The side schema's segments. */
export interface SegmentStore extends SegmentReader {
  /** All, the last changed first, then by id. */
  list(): Promise<readonly SegmentRecord[]>
  get(id: string): Promise<SegmentRecord | undefined>
  /** AppError `conflict` when the name is taken. */
  create(record: SegmentRecord): Promise<void>
  /** The record afterwards, undefined when there is none; AppError `conflict` when the name is taken. */
  update(id: string, change: SegmentChange, at: string): Promise<SegmentRecord | undefined>
  /** False when there was none. */
  delete(id: string): Promise<boolean>
}

/** The side schema ("store"): opened and migrated when a request first needs it. */
export interface Store {
  /** False when switched off (`store.url` = `none`): everything else then rejects with `unsupported_by_connector`. */
  readonly enabled: boolean
  readonly fxRates: FxRateStore
  readonly attributes?: AttributeStore
  readonly segments?: SegmentStore
  /** Schema of the side store's tables where the billing database can read them (`store.colocated`). */
  readonly colocated?: { readonly schema: string; identity(): Promise<string> }
  /** Raised by every write to the side schema: unchanged means that nothing in it has changed. */
  version(): Promise<number>
  /** Opens if need be and asks for a sign of life; AppError `connector_unavailable`. */
  ping(): Promise<void>
  /** Opens and migrates now; AppError `connector_unavailable` when it cannot. */
  open(): Promise<void>
  close(): Promise<void>
}
