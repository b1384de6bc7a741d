import type { FxRate } from '../core/fx-rate.ts'

/** The side schema's exchange rates. */
export interface FxRateStore {
  /** The rates into `to` from these currencies, or from all, by currency and date. */
  ratesInto(to: string, from?: readonly string[]): Promise<readonly FxRate[]>
  list(): Promise<readonly FxRate[]>
  /**
   * Inserts or replaces in one transaction, as the rates arrive; of two for the same day and pair the later wins.
   * When the iterable fails nothing is written. Returns how many rates were taken.
   */
  upsert(rates: Iterable<FxRate> | AsyncIterable<FxRate>): Promise<number>
}
