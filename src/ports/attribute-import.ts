import type { CustomerRef } from '../core/attribute.ts'
import type { CsvForm } from '../core/csv-form.ts'
import type { AttributeStore } from './attribute-store.ts'

/** What a name of a customer in an import is: account id or else external key, external key, e-mail address. */
export type IdKind = 'id' | 'external' | 'email'

export interface AttributeImportOptions extends CsvForm {
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
  /** New attributes of which each value looks like a number and one would not stay as it is, with the first such value. */
  readonly kept_as_text: readonly { readonly row: number; readonly key: string; readonly value: string }[]
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
