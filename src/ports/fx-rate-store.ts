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
