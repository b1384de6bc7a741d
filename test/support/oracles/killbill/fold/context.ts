import type { Definitions } from '../../../../../src/core/definitions.ts'
import type { Instant } from './instant.ts'
import type { PriceBook } from './price-book.ts'
import type { RateTable } from './rates.ts'

/** The inputs of the fold other than the rows of one account. */
export interface FoldContext {
  /** Rows effective or created later do not exist (D2). */
  readonly now: Instant
  readonly base_currency: string
  readonly rates: RateTable
  readonly prices: PriceBook
  readonly definitions: Pick<Definitions, 'mrr_usage' | 'derive_fixed_term_end' | 'test_accounts'>
  /** Transferred bundles → the instant of the successor's TRANSFER (D19). */
  readonly transfers: ReadonlyMap<string, Instant>
  /** Child invoices → paid_at of the parent's invoice. Null while the parent's invoice is open (D53). */
  readonly parents: ReadonlyMap<string, Instant | null>
}
