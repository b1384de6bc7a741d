import type { CsvForm } from '../core/csv-form.ts'
import type { FxRate } from '../core/currency.ts'

/** Selects rates. Without any field, all rates. Days are `YYYY-MM-DD`, both inclusive. */
export interface RateSelection {
  readonly from?: readonly string[] | undefined
  readonly to?: readonly string[] | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Only the newest rate of each pair. */
  readonly latest?: boolean | undefined
  /** Most rates to return. */
  readonly limit?: number | undefined
}

/** The side schema's exchange rates. */
export interface FxRateStore {
  /** The rates into `to` from these currencies, or from all, by currency and date. */
  ratesInto(to: string, from?: readonly string[]): Promise<readonly FxRate[]>
  /** Rates by pair and date. */
  list(selection?: RateSelection): Promise<readonly FxRate[]>
  /**
   * Inserts or replaces rates in one transaction, as they arrive. If two rates have the same day and pair, the later rate wins.
   * If the iterable fails, nothing is written. Returns the number of rates taken.
   */
  upsert(rates: Iterable<FxRate> | AsyncIterable<FxRate>): Promise<number>
}

/** A rate that was left out. `row` counts from 1 after the header. */
export interface RateRejection {
  readonly row: number
  readonly reason: string
}

/** Result of an import of rates. `rows_upserted` counts stored rates. `rows_rejected` is cut at 1,000 entries, its total is not. */
export interface RateImportResult {
  readonly rows_read: number
  readonly rows_upserted: number
  readonly rows_rejected: readonly RateRejection[]
  readonly rows_rejected_total: number
}

export interface RateImportOptions extends CsvForm {
  /** Currency that the rates of a wide file are converted into. A file of pairs does not need it. */
  readonly into?: string | undefined
  /** Returns the currency if `into` is absent. Called for a wide file only, because the call may read the billing database. */
  readonly base?: () => Promise<string>
  /** First day whose rates are stored. Absent: all days. */
  readonly since?: string | undefined
}

/** Downloads the European Central Bank's file from the configured address. AppError `connector_unavailable`, `payload_too_large`. */
export type FetchRates = (signal: AbortSignal) => Promise<Uint8Array>

/** Imports a CSV file of exchange rates, streamed and in one transaction. */
export type ImportRates = (
  source: AsyncIterable<string | Uint8Array>,
  options: RateImportOptions,
  store: { readonly fxRates: FxRateStore },
) => Promise<RateImportResult>
