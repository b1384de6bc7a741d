import type { Statement } from '../compiler/statement.ts'
import type { CheckFinding } from '../connector-kit/connector.ts'
import type { ContractRows } from '../connector-kit/rows.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import type { Answer, AskOptions, FieldsAnswer, ListName, RawInput, Readiness, SegmentVerdict } from './answers.ts'
import type { AttributeResource } from './attributes/resource.ts'
import type { SegmentResource } from './segments/resource.ts'

export type { Answer, AskOptions, FieldsAnswer, ListName, MetricFields, RawInput, Readiness, SegmentVerdict } from './answers.ts'

/** Everything the product can be asked; every route and command is one call of it. */
export interface Engine {
  /** AppError for whatever the caller must know; parameters are judged before the database is asked. */
  query(metric: string, params?: RawInput, spec?: RawInput, options?: AskOptions): Promise<Answer>
  /** The headline figures of a day, or of the range `start` to `end`, from one snapshot (http-api.md 3.1). */
  summary(params?: RawInput, spec?: RawInput, options?: AskOptions): Promise<Answer>
  /** A page of the billing engine's records as they are now (http-api.md 5). */
  list(name: ListName, params?: RawInput, spec?: RawInput, options?: AskOptions): Promise<Answer>
  /** One customer with its subscriptions, by account id or external key. AppError `not_found`, `conflict`. */
  customer(id: string, params?: RawInput, spec?: RawInput, options?: AskOptions): Promise<Answer>
  /** The six contract methods of a same-database connector: rows instead of figures, for programs in the same process. */
  readonly rows: ContractRows
  /** The statements of a query, for tests, golden files and EXPLAIN. They are compiled against the real session and not run. */
  compile(metric: string, params?: RawInput, spec?: RawInput): Promise<readonly Statement[]>
  /** Names of all metrics, ascending, also of those the connector cannot supply. */
  metrics(): readonly string[]
  /** Definition of a metric; undefined while it is listed only. AppError `unknown_metric`. */
  metric(name: string): MetricDefinition | undefined
  /** The definition of a metric that can be asked; no database is. AppError `unknown_metric` or `unsupported_by_connector`. */
  supported(name: string): MetricDefinition
  /** What a metric can be grouped and filtered by. AppError `unknown_metric` or `unsupported_by_connector`. */
  fields(metric: string): Promise<FieldsAnswer>
  /** What is wrong with a segment's definition, metric by metric. AppError `unknown_metric`, `unsupported_by_connector`. */
  validateSegment(body: unknown): Promise<SegmentVerdict>
  readonly attributes: AttributeResource
  readonly segments: SegmentResource
  readiness(): Promise<Readiness>
  /**
   * Findings about connection, rights, lag, engine, relations, rates and store; `cross`: also whether cached answers are the direct
   * ones. AppError when the database cannot be asked.
   */
  check(options?: { readonly cross?: boolean }): Promise<readonly CheckFinding[]>
  close(): Promise<void>
}
