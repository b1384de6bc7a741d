import type { AuthResource } from '../auth/resource.ts'
import type { Statement } from '../compiler/statement.ts'
import type { CheckFinding } from '../connector-kit/connector.ts'
import type { ContractRows } from '../connector-kit/rows.ts'
import type { QueueLoad } from '../core/gate.ts'
import type { Viewer } from '../core/workspace.ts'
import type { Answer, AskOptions } from '../execution/answer/answer.ts'
import type { FieldValues } from '../execution/filter-values/field-values.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import type { LakeFigures } from '../ports/lake.ts'
import type { CacheCopy, CacheStatistics } from '../ports/read-through.ts'
import type { SourceRow } from '../ports/session.ts'
import type { ListName } from '../query/lists/definition.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { LedgerListName } from '../records/ledger/lists.ts'
import type { Readiness } from '../trust/checks/readiness.ts'
import type { SetupStep } from '../trust/checks/setup.ts'
import type { AttributeResource } from '../workspace/attributes/resource.ts'
import type { ChartResource } from '../workspace/dashboards/charts.ts'
import type { DashboardResource } from '../workspace/dashboards/resource.ts'
import type { DeliveryRecords } from '../workspace/deliveries/records.ts'
import type { RateResource } from '../workspace/exchange-rates/resource.ts'
import type { ExpenseResource } from '../workspace/expenses/resource.ts'
import type { SourceFigures } from '../workspace/expenses/sources/counters.ts'
import type { SourceResource } from '../workspace/expenses/sources/resource.ts'
import type { GoalResource } from '../workspace/goals/resource.ts'
import type { LinkResource } from '../workspace/links/resource.ts'
import type { MarkResource } from '../workspace/marks/resource.ts'
import type { NoteResource } from '../workspace/notes/resource.ts'
import type { SegmentFieldsAnswer } from '../workspace/segments/fields.ts'
import type { SegmentResource, SegmentValidation } from '../workspace/segments/resource.ts'
import type { DefinitionsAnswer } from './definitions.ts'
import type { FieldsAnswer } from './fields.ts'
import type { Verification } from './verification.ts'

export type { Answer, AskOptions } from '../execution/answer/answer.ts'
export type { ListName } from '../query/lists/definition.ts'
export type { Raw as RawInput } from '../query/raw-parameters.ts'
export type { Readiness } from '../trust/checks/readiness.ts'
export type { SegmentFieldEntry, SegmentFieldsAnswer } from '../workspace/segments/fields.ts'
export type { SegmentValidation } from '../workspace/segments/resource.ts'
export type { FieldsAnswer, MetricFields } from './fields.ts'
export type { Verification, VerifyList, VerifyOptions } from './verification.ts'

/** Counters and loads of an engine, for /readyz and /metrics. */
interface EngineStatistics {
  /** Null without a connection pool. */
  readonly queues: { readonly replica: QueueLoad | null; readonly cache: QueueLoad | null }
  /** Null without a cache. */
  readonly cache: CacheStatistics | null
  /** Work done for expense sources. Absent if the engine cannot have sources. */
  readonly sources?: SourceFigures
  /** Absent if the billing database is not on Trino. */
  readonly lake?: LakeFigures
}

/** The findings of `check`, and the steps of the setup; null for the sample data and for an embedded engine. */
export interface Checks {
  readonly checked_at: string
  readonly setup: readonly SetupStep[] | null
  readonly findings: readonly CheckFinding[]
}

/** A cache without rows. `is_filling`: the process fills it again. */
export interface ClearedCache {
  readonly is_filling: boolean
}

/** All questions and changes that the product supports. Every route and command is one call of it. */
export interface Engine {
  /** Answers a query. Rejects with AppError for every failure that the caller must know. Parameters are checked before any database is asked. */
  query(metric: string, params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /**
   * A page of the rows behind one number of a query (http-api.md 15). `isWhole` gives all rows unless the request has a limit. AppError
   * `result_too_large` if there are more than `limits.max_rows`.
   */
  metricRows(metric: string, params?: Raw, spec?: Raw, options?: AskOptions & { readonly isWhole?: boolean }): Promise<Answer>
  /** The headline figures of a day, or of the range `start` to `end`, from one snapshot (http-api.md 3.1). */
  summary(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** A page of the billing engine's current records (http-api.md 5). */
  list(name: ListName, params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** A figure under two definition sets, `from` and `to`, with the difference that each option makes (definitions.md D70). */
  bridge(metric: string, params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** The options of a definition set, by default those of the configuration, with the names of all sets. AppError `invalid_value`. */
  definitions(set?: Raw[string]): Promise<DefinitionsAnswer>
  /** Number and balance of the open invoices by age, in the base currency (http-api.md 5). */
  invoiceAges(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** Agreed amounts compared with billed amounts, day by day, by class of the difference (http-api.md 12). */
  billingHealth(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** A page of subscriptions that are billed otherwise than agreed, with the rows of the billing database that show it. */
  billingFindings(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** Lists of everything else that a person must look at, such as customers at risk, with the sums of each list (http-api.md 12). */
  billingNotices(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** Subscriptions whose billed period or fixed term ends on days to come, with the number and MRR of each month (http-api.md 5). */
  renewals(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** The charges that the billing engine will make, by month, currency and kind, and each of them (http-api.md 5). */
  billings(params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** Open invoices of a day, a recognition schedule, or the journal of a range (docs/ledger.md). */
  ledgerList(name: LedgerListName, params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /** One customer with its subscriptions, by account id or external key. AppError `not_found`, `conflict`. */
  customer(id: string, params?: Raw, spec?: Raw, options?: AskOptions): Promise<Answer>
  /**
   * The six contract methods of a same-database connector. They return rows instead of figures, for programs in the same process.
   */
  readonly rows: ContractRows
  /** The statements of a query, compiled against the real session and not run: for tests, golden files and EXPLAIN. */
  compile(metric: string, params?: Raw, spec?: Raw): Promise<readonly Statement[]>
  /** Names of all metrics, ascending, including those that the connector cannot supply. */
  metrics(): readonly string[]
  /** Definition of a metric. Undefined if this engine has no definition to show. AppError `unknown_metric`. */
  metric(name: string): MetricDefinition | undefined
  /** The definition of a metric that the connector supplies, without a database. AppError `unknown_metric`, `unsupported_by_connector`. */
  supported(name: string): MetricDefinition
  /** Dimensions and filters of a metric. AppError `unknown_metric`, `unsupported_by_connector`. */
  fields(metric: string, options?: Pick<AskOptions, 'numbersOnly'>): Promise<FieldsAnswer>
  /**
   * The values that a filter of the metric may name, for menus. `search` is a part of a value. Fields of segments count as filters; attributes have their
   * own resource. AppError `unknown_metric`, `unsupported_by_connector`, `unknown_filter`, `invalid_value`.
   */
  fieldValues(metric: string, field: string, params?: Raw, options?: AskOptions): Promise<FieldValues>
  /** The tenants that this engine serves, in the order of the session: the values of the dimension `tenant`. */
  tenants(): Promise<readonly Pick<SourceRow, 'name' | 'source_id'>[]>
  /** Problems of a segment's definition, metric by metric. AppError `unknown_metric`, `unsupported_by_connector`. */
  validateSegment(body: unknown, options?: Pick<AskOptions, 'signal'>): Promise<SegmentValidation>
  /** Fields for the conditions of segments, with example values. */
  segmentFields(): Promise<SegmentFieldsAnswer>
  readonly attributes: AttributeResource
  readonly segments: SegmentResource
  readonly notes: NoteResource
  readonly goals: GoalResource
  /** The marks of findings and notices of billing health. */
  readonly marks: MarkResource
  readonly expenses: ExpenseResource
  readonly rates: RateResource
  /** The dashboards that a viewer sees. */
  dashboards(viewer: Viewer): DashboardResource
  /** The charts of a user, by the user's id in the store. */
  charts(user: string): ChartResource
  readonly links: LinkResource
  readonly sources: SourceResource
  /** The stored deliveries. The facade `deliveries` sends them. */
  readonly deliveries: DeliveryRecords
  readonly auth: AuthResource
  readiness(): Promise<Readiness>
  /** Counters and loads, without a database. */
  statistics(): EngineStatistics
  /**
   * Findings about connection, rights, lag, engine, relations, rates and store, and about the amounts and invoices of all customers,
   * which `isQuick` leaves out. With `cross` also about cached answers that differ from direct ones. AppError if the database cannot be reached.
   */
  check(options?: { readonly cross?: boolean; readonly isQuick?: boolean }): Promise<readonly CheckFinding[]>
  /** Compares the answers of the cache and of the database, and names those that differ. */
  crossCheck(): Promise<readonly CheckFinding[]>
  /** Removes all rows of the cache, in memory and on disk. In a service, the cache fills again. AppError `conflict`, `unsupported_by_connector`. */
  clearCache(): Promise<ClearedCache>
  /**
   * Writes a copy of the cache for another service into a directory that does not exist or is empty. Absolute path. AppError `invalid_value`,
   * `conflict`, `unsupported_by_connector`.
   */
  copyCache(directory: string, options?: Pick<AskOptions, 'signal'>): Promise<CacheCopy>
  /** The findings of `check` and the steps of the setup, at most a minute old. With `refresh`, they are checked again. */
  checks(options?: { readonly refresh?: boolean }): Promise<Checks>
  /** Checks of the user's own data: identities, completeness, and the cache (definitions.md 16). */
  readonly verification: Verification
  close(): Promise<void>
}
