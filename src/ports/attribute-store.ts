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

/** The side schema's attributes of customers. */
export interface AttributeStore {
  /** All stored definitions. */
  definitions(): Promise<readonly StoredAttribute[]>
  /** What is said of attributes that the billing engine owns. */
  notes(): Promise<readonly AttributeNote[]>
  /** The values of one key, in no order. */
  values(key: string): Promise<readonly AttributeValue[]>
  /** Different values of a key, ascending (text by code point), at most `limit`. */
  distinctValues(definition: Pick<AttributeDefinition, 'key' | 'type'>, limit: number): Promise<readonly (string | boolean)[]>
  /** Values of a key that several customers share, the commonest first, at most `limit`. */
  commonValues(definition: Pick<AttributeDefinition, 'key' | 'type'>, limit: number): Promise<readonly (string | boolean)[]>
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
  /** Turns the numbers of a key into text; the caller replaces the definition. */
  numbersToText(key: string, origin: AttributeOrigin, at: string): Promise<void>
  /** Inserts or replaces values; those that are there already stay untouched. Returns how many changed. */
  put(entries: readonly AttributeEntry[], origin: AttributeOrigin, at: string): Promise<number>
  /** False when there was no value. */
  remove(customer: CustomerRef, key: string): Promise<boolean>
}
