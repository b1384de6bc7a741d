import type { CsvForm } from '../core/csv-form.ts'
import type { FxRateStore } from './fx-rate-store.ts'

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
