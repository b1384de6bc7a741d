import type { BoundValue } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { FxRate } from '../core/currency.ts'

/** One tenant of the engine: what `source_id` stands for (D15). */
export interface SourceRow {
  readonly source_id: string
  readonly external_key: string | null
}

/** What one request knows of the engine, read in its snapshot. */
export interface ConnectorSession {
  readonly sources: readonly SourceRow[]
  /** Values for the parameters that the connector's relations declare, beside those that every relation may (sql/README.md). */
  readonly params: Readonly<Record<string, BoundValue>>
  /** The same for a statement of which the relations that it names are known, where they save the database work. */
  paramsFor?(reads: readonly string[]): Readonly<Record<string, BoundValue>>
  /** The inline relations that the connector fills, by name. */
  readonly inline: ReadonlyMap<string, InlineRelation>
  /** Relations that another file of the connector supplies for this engine's version, by the name the templates use. */
  readonly aliases: ReadonlyMap<string, string>
  /** Currencies of the accounts that count and own a subscription (D10), ascending. */
  readonly currencies: readonly string[]
  /** Rates the engine itself keeps, into `base`; empty when it has none (D11). */
  rates(base: string): Promise<readonly FxRate[]>
  /** A sentence about rates that the engine keeps and the role may not read; absent where there are none. */
  readonly rates_withheld?: string | undefined
  /** A sentence on why prices may be others than the engine's; absent where nothing says so. */
  readonly prices_in_doubt?: string | undefined
  /** Why the price of a plan in a currency is unknown, as the end of a sentence about it; undefined where there just is none. */
  priceFlaw?(plan: string, currency: string | null): string | undefined
}
