import type { BoundValue } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { FxRate } from '../core/currency.ts'

/** One tenant of the engine, identified by `source_id` (D15). */
export interface SourceRow {
  readonly source_id: string
  readonly external_key: string | null
  /** Shown to users, and the value of the dimension `tenant`. Unique among the sources of a session. */
  readonly name: string
}

/** How far a copy of an engine's data is known to be complete. Instants are UTC. */
export interface Copied {
  /** It is complete at least up to here. Null: it holds nothing. */
  readonly through: string | null
  /** The change that must have reached the copy by an instant. If it has not, the copy has stopped. */
  readonly due?: { readonly at: string; readonly subject: string }
}

/** A part of what a connector infers, and the number of rows that it is about. */
export interface InferredPart {
  readonly name: string
  readonly count?: number
}

/** The state of the engine that one request reads in its snapshot. */
export interface ConnectorSession {
  readonly sources: readonly SourceRow[]
  /** Values for the parameters that the connector's relations declare, in addition to the common ones (sql/README.md). */
  readonly params: Readonly<Record<string, BoundValue>>
  /**
   * Additional parameters for a statement that reads only these relations, directly or through others. `readersOf` names the relations
   * that read one of them, with an empty name for the statement itself; absent if nobody knows. Present if they can save work.
   */
  paramsFor?(reads: readonly string[], readersOf?: (relation: string) => readonly string[]): Readonly<Record<string, BoundValue>>
  /** The inline relations that the connector fills, by name. */
  readonly inline: ReadonlyMap<string, InlineRelation>
  /** Relations that come from another file of the connector in this engine's version. The key is the name in the templates. */
  readonly aliases: ReadonlyMap<string, string>
  /** Currencies of the counted accounts that own a subscription (D10), ascending. */
  readonly currencies: readonly string[]
  /** Currencies of counted accounts without a subscription. Their invoices are in the books, which need the rates. */
  readonly other_currencies?: readonly string[]
  /** True if the engine gives each customer one currency for good. Movements of several currencies then need not be compared (D85). */
  readonly one_currency_each?: true
  /** How far the rows are known to be complete, if they are a copy of the engine's own data. Absent: they are the engine's own rows. */
  readonly copied?: Copied | undefined
  /** Rates into `base` that the engine itself holds. Empty if it has none (D11). */
  rates(base: string): Promise<readonly FxRate[]>
  /** A sentence about rates that the engine holds but the role may not read. Absent otherwise. */
  readonly rates_withheld?: string | undefined
  /** A sentence on why prices may differ from the engine's. Absent if there is no such reason. */
  readonly prices_in_doubt?: string | undefined
  /** The parts of what the connector infers, which the warning `inferred` names. Absent: it names relations only. */
  readonly inferred_parts?: readonly InferredPart[] | undefined
  /** A sentence on rows that the engine's copy lacks, and their number, for the warning `partial`. Undefined if it lacks none. */
  readonly incomplete?: { readonly message: string; readonly count: number } | undefined
  /** The same for rows that only some relations lack: answers that read one of them have the warning. Absent: no relation lacks any. */
  readonly incomplete_relations?:
    | readonly { readonly reads: readonly string[]; readonly message: string; readonly count: number }[]
    | undefined
  /** Time zones of customers that are not known, and the relations that count days in them. Undefined if all are known. */
  readonly zones_unknown?: { readonly zones: readonly string[]; readonly reads: readonly string[] } | undefined
  /** Lists of notices whose rows are not known, and why, in sentences. Undefined if all are known. */
  readonly notices_unknown?: { readonly kinds: readonly string[]; readonly reason: string } | undefined
  /** Relations that cannot be read, and why, in sentences. Absent: all can. A statement that reads one of them is refused. */
  readonly relations_unknown?: readonly { readonly reads: readonly string[]; readonly reason: string }[]
  /**
   * The reason why the price of a plan in a currency is unknown, as the end of a sentence. Undefined if the plan has no price in
   * that currency.
   */
  priceFlaw?(plan: string, currency: string | null): string | undefined
}
