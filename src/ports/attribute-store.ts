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
import type { CsvForm } from '../core/csv-form.ts'

/** The side schema's attributes of customers. */
export interface AttributeStore {
  /** All stored definitions. */
  definitions(): Promise<readonly StoredAttribute[]>
  /** Labels and descriptions of attributes that the billing engine owns. */
  notes(): Promise<readonly AttributeNote[]>
  /** The values of one key, in no order. */
  values(key: string): Promise<readonly AttributeValue[]>
  /** Distinct values of a key, ascending (text by code point), at most `limit`. */
  distinctValues(definition: Pick<AttributeDefinition, 'key' | 'type'>, limit: number): Promise<readonly (string | boolean)[]>
  /** Values of a key that several customers share, the most common first, at most `limit`. */
  commonValues(definition: Pick<AttributeDefinition, 'key' | 'type'>, limit: number): Promise<readonly (string | boolean)[]>
  /** Number of values of each customer, for one key or for all. */
  counts(key: string | undefined): Promise<readonly (CustomerRef & { readonly count: number })[]>
  /** The values of these customers, of one key or of all, in no order. */
  entriesOf(customers: readonly CustomerRef[], key: string | undefined): Promise<readonly StoredEntry[]>
  /** Runs `work` in one transaction, one writer at a time. If it fails, nothing is written. */
  change<T>(work: (writer: AttributeWriter) => Promise<T>): Promise<T>
}

/** Changes of the attributes in one transaction. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface AttributeWriter {
  definitions(): Promise<ReadonlyMap<string, StoredAttribute>>
  notes(): Promise<ReadonlyMap<string, AttributeNote>>
  /** Inserts or replaces. */
  define(definition: StoredAttribute): Promise<void>
  note(note: AttributeNote): Promise<void>
  /** Converts the numbers of a key to text. The caller replaces the definition. */
  numbersToText(key: string, origin: AttributeOrigin, at: string): Promise<void>
  /** Inserts or replaces values and returns how many changed. Equal values stay untouched. */
  put(entries: readonly AttributeEntry[], origin: AttributeOrigin, at: string): Promise<number>
  /** False if the customer had no value. */
  remove(customer: CustomerRef, key: string): Promise<boolean>
}

/**
 * The kinds of names by which an import finds customers. `id`: account id, else external key. `external`: external key. `email`:
 * e-mail address.
 */
export type IdKind = 'id' | 'external' | 'email'

export interface AttributeImportOptions extends CsvForm {
  readonly id_column?: string | undefined
  readonly id_kind?: IdKind | undefined
  /** Called from time to time with the number of rows read. */
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
  /**
   * New attributes that stay text although all their values look like numbers: at least one value, such as `01234`, would change
   * as a number. The first such value is given.
   */
  readonly kept_as_text: readonly { readonly row: number; readonly key: string; readonly value: string }[]
  readonly unknown_customers_total: number
  readonly cells_rejected_total: number
}

/** The engine's side of an import: its customers, the attributes it owns, the store and the time. */
export interface AttributeImportContext {
  readonly store: AttributeStore
  readonly at: string
  /** AppError `read_only_attribute` if the billing engine owns the values of one of the keys. */
  refuseOwned(keys: readonly string[]): Promise<void>
  findCustomers(ids: readonly string[], kind: IdKind): Promise<ReadonlyMap<string, readonly CustomerRef[]>>
}

/** Imports a CSV file of attributes, streamed and in one transaction. */
export type ImportAttributes = (
  source: AsyncIterable<string | Uint8Array>,
  options: AttributeImportOptions,
  place: AttributeImportContext,
) => Promise<AttributeImportResult>
