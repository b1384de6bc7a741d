import type { BoundValue, Fragment } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import type { FxRate } from '../../core/currency.ts'
import type { Definitions } from '../../core/definitions.ts'
import type { Cell, Row } from '../../ports/rows.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import type { QueryRequest } from '../../query/request.ts'
import type { Slots } from '../../query/scope.ts'
import type { Warning } from '../../query/warning.ts'

/** A row of an answer: key columns, dimensions, measures, in the order in which they are shown. */
export type AnswerRow = Row

/** What an overview answers: a row that also states its windows, what it lacks, and lists of its own. */
export type Overview = Readonly<Record<string, Cell | Row | readonly string[] | readonly Row[]>>

/** What a query yields. A scalar names the field it has in the list form. */
export type MetricResult =
  | { readonly kind: 'scalar'; readonly field: string; readonly value: number | null }
  | { readonly kind: 'object'; readonly columns: readonly string[]; readonly value: AnswerRow | Overview }
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly (AnswerRow | Overview)[] }

/** One statement: a template of sql/metrics, its slots and parameters. Relations see [window.from, window.to). */
export interface TemplateRun {
  /** `<metric>/<query>` */
  readonly template: string
  readonly slots: Slots
  readonly params: Readonly<Record<string, BoundValue>>
  readonly window: { readonly from: Date; readonly to: Date }
  readonly inline?: readonly InlineRelation[]
  /** Relations put together for this statement, subqueries in parentheses by name. */
  readonly built?: ReadonlyMap<string, Fragment>
}

/** What a reading asks the side store, in one snapshot of it. Relations are those of sql/store; `:workspace` is the request's. */
export interface StoreReader {
  run(run: Omit<TemplateRun, 'window' | 'slots'> & { readonly slots?: Slots }): Promise<readonly Row[]>
}

/** What a query may use: the checked request, the definitions, SQL in one snapshot, other metrics in the same one. */
export interface MetricContext {
  readonly request: QueryRequest
  readonly now: Date
  readonly connector: string
  readonly definitions: Definitions & { readonly base_currency: string }
  readonly limits: { readonly max_rows: number }
  /** Instant up to which the snapshot is complete; null where that is not known of a replica. */
  readonly data_through: string | null
  /** True when the connector supplies the relation, exactly or inferred. */
  isSupplied(relation: string): boolean
  run(run: TemplateRun): Promise<readonly Row[]>
  /** Runs `work` in a snapshot of the side store. AppError `unsupported_by_connector` where there is none. */
  inStore<T>(work: (store: StoreReader) => Promise<T>): Promise<T>
  /** Rates into the base currency that the billing engine keeps itself. */
  engineRates(): Promise<readonly FxRate[]>
  /** A sentence about rates that it keeps and the role may not read. */
  readonly ratesWithheld?: string | undefined
  /** Why the price of a plan is unknown, where the catalog has one that cannot be read. */
  priceFlaw?(plan: string, currency: string | null): string | undefined
  warn(warning: Warning): void
  /** Told how many rows an answer will have before they are made. AppError `overloaded` where a large one has to wait. */
  enlarge?(rows: number): void
  /**
   * Answer of another metric about the same customers and facts, grouped alike, in the same snapshot: the request's dimensions, filters,
   * segment and comparison hold there too. Of when it is, the parameters say. The metric must stand in `depends_on`; AppError where it does
   * not offer what the request narrows or groups by.
   */
  ask(metric: string, params: Raw): Promise<MetricResult>
}
