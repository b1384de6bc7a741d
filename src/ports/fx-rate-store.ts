import type { CsvForm } from '../core/csv-form.ts'
import type { FxRate } from '../core/currency.ts'

/** Which rates are meant; all if nothing is said. Days are `YYYY-MM-DD`, both included. */
export interface RateSelection {
  readonly from?: readonly string[] | undefined
  readonly to?: readonly string[] | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Of each pair only the newest of these. */
  readonly latest?: boolean | undefined
  /** So many at most. */
  readonly limit?: number | undefined
}

/** The side schema's exchange rates. */
export interface FxRateStore {
  /** The rates into `to` from these currencies, or from all, by currency and date. */
  ratesInto(to: string, from?: readonly string[]): Promise<readonly FxRate[]>
  /** Rates by pair and date. */
  list(selection?: RateSelection): Promise<readonly FxRate[]>
  /**
   * Inserts or replaces in one transaction, as the rates arrive; of two for the same day and pair the later wins.
   * When the iterable fails nothing is written. Returns how many rates were taken.
   */
  upsert(rates: Iterable<FxRate> | AsyncIterable<FxRate>): Promise<number>
}

/** What was left out of a row of a file; `row` counts from 1 after the header. */
export interface RateRejection {
  readonly row: number
  readonly reason: string
}

/** What an import of rates did. `rows_upserted` counts stored rates; `rows_rejected` is cut at 1,000, its total is not. */
export interface RateImportResult {
  readonly rows_read: number
  readonly rows_upserted: number
  readonly rows_rejected: readonly RateRejection[]
  readonly rows_rejected_total: number
}

export interface RateImportOptions extends CsvForm {
  /** Currency that the rates of a wide file are converted into; no file of pairs needs it. */
  readonly into?: string | undefined
  /** What it is where `into` is absent: asked for by a wide file alone, as it may take a look at the billing database. */
  readonly base?: () => Promise<string>
  /** First day whose rates are stored; all if absent. */
  readonly since?: string | undefined
}

/** Imports a CSV file of exchange rates, streamed and in one transaction. */
export type ImportRates = (
  source: AsyncIterable<string | Uint8Array>,
  options: RateImportOptions,
  store: { readonly fxRates: FxRateStore },
) => Promise<RateImportResult>
