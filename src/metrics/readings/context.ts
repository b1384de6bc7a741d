import type { BoundValue, Fragment } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import type { Calendar } from '../../core/calendar.ts'
import type { FxRate } from '../../core/currency.ts'
import type { Definitions } from '../../core/definitions.ts'
import type { Cell, Row } from '../../ports/rows.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import type { QueryRequest } from '../../query/request.ts'
import type { Slots } from '../../query/scope.ts'
import type { Warning } from '../../query/warning.ts'

/** A row of an answer: key columns, dimensions and measures, in display order. */
export type AnswerRow = Row

/** Answer of an overview: a row that also has objects, such as windows, and lists. */
export type Overview = Readonly<Record<string, Cell | Row | readonly string[] | readonly Row[]>>

/** Result of a query. `field` is the name that a scalar has as a column of rows. */
export type MetricResult =
  | { readonly kind: 'scalar'; readonly field: string; readonly value: number | null }
  | { readonly kind: 'object'; readonly columns: readonly string[]; readonly value: AnswerRow | Overview }
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly (AnswerRow | Overview)[] }

/** One statement: a template of sql/metrics with slots and parameters. Relations read the window [from, to). */
export interface TemplateRun {
  /** `<metric>/<query>` */
  readonly template: string
  readonly slots: Slots
  readonly params: Readonly<Record<string, BoundValue>>
  readonly window: { readonly from: Date; readonly to: Date }
  /** Last instant that counts, if known now. By default that of the request. */
  readonly until?: Date
  readonly inline?: readonly InlineRelation[]
  /** Instants at which it reads levels, other than those of the window and of its relations. */
  readonly instants?: readonly Date[]
  /** Relations built for this statement, by name, as subqueries in parentheses. */
  readonly built?: ReadonlyMap<string, Fragment>
}

/** Runs templates in one snapshot of the store. Relations are those of sql/store; `:workspace` is that of the request. */
export interface StoreReader {
  run(run: Omit<TemplateRun, 'window' | 'slots'> & { readonly slots?: Slots }): Promise<readonly Row[]>
}

/** Context of a query: the validated request, the definitions, SQL in one snapshot, and other metrics in the same snapshot. */
export interface MetricContext {
  readonly request: QueryRequest
  /** Now on the clock of the calendar. */
  readonly now: Date
  readonly calendar: Calendar
  readonly connector: string
  readonly definitions: Definitions & { readonly base_currency: string }
  readonly limits: { readonly max_rows: number }
  /** Instant up to which the snapshot is complete; null if the lag of a replica is unknown. */
  readonly data_through: string | null
  /** True if the connector supplies the relation, exactly or inferred. */
  isSupplied(relation: string): boolean
  run(run: TemplateRun): Promise<readonly Row[]>
  /** Runs `work` in a snapshot of the store. AppError `unsupported_by_connector` without a store. */
  inStore<T>(work: (store: StoreReader) => Promise<T>): Promise<T>
  /** Rates into the base currency that the billing engine has. */
  engineRates(): Promise<readonly FxRate[]>
  /** A sentence about rates in the billing engine that the database role may not read. */
  readonly ratesWithheld?: string | undefined
  /** Reason why the price of a plan is unknown, if the catalog has a price that cannot be read. */
  priceFlaw?(plan: string, currency: string | null): string | undefined
  warn(warning: Warning): void
  /** Called with the ids of subscriptions that count as 0 because their price is unknown. Set only for explained answers. */
  onUnpriced?(subscriptions: readonly string[]): void
  /** Called with the number of rows of an answer before they are built. AppError `overloaded` if a large answer has to wait. */
  enlarge?(rows: number): void
  /**
   * Answer of another metric in the same snapshot, with the dimensions, filters, segment and comparison of this request. The parameters give
   * its time. The metric must be listed in `depends_on`. AppError if it lacks a filter or dimension of the request.
   */
  ask(metric: string, params: Raw): Promise<MetricResult>
}
