import type { CacheState, ReadThrough } from '../cache/read-through.ts'
import type { SqlCatalog } from '../compiler/catalog.ts'
import type { Statement } from '../compiler/statement.ts'
import type { CheckFinding, DatabaseConnector } from '../connector-kit/connector.ts'
import type { ContractRows } from '../connector-kit/rows.ts'
import type { Clock } from '../core/clock.ts'
import type { Definitions } from '../core/definitions.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import type { FieldType } from '../query/field.ts'
import type { Warning } from '../query/warning.ts'
import type { AttributeResource } from './attributes/resource.ts'
import type { Executor, ImportAttributes, Store } from './ports.ts'
import type { SegmentResource } from './segments/resource.ts'

/** What a query answers: a JSON value, how to lay it out as a table, and what is known about it. */
export interface Answer {
  readonly data: unknown
  /** `page`: `{total, limit, offset, rows}`; as a table it is its rows. */
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  /** Keys in order; for a scalar the name it has in the list form. */
  readonly columns: readonly string[]
  readonly meta: {
    /** Instant up to which the snapshot is complete. */
    readonly data_through: string
    /** Hash of the resolved definitions, 12 hex digits. */
    readonly definitions: string
    readonly warnings: readonly Warning[]
    readonly base_currency: string
  }
}

/** What a metric offers; `partial` among the warnings where the side store could not be asked for its attributes. */
export interface FieldsAnswer {
  readonly data: MetricFields
  readonly meta: Pick<Answer['meta'], 'warnings'>
}

export interface MetricFields {
  readonly dimensions: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly queries: readonly string[]
  }[]
  readonly time_dimensions: readonly { readonly key: string; readonly label: string }[]
  readonly attributes: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly source: string
    readonly description?: string
  }[]
  readonly filters: readonly {
    readonly key: string
    readonly label: string
    readonly type: FieldType
    readonly operators: readonly string[]
  }[]
  readonly query_types: readonly string[]
}

/** Body of /readyz (http-api.md 11). */
export interface Readiness {
  readonly status: 'ok' | 'unavailable'
  readonly checks: {
    readonly replica: {
      readonly ok: boolean
      readonly role: 'replica' | 'primary' | 'unknown'
      readonly lag_seconds: number | null
      readonly version: string | null
      readonly schema: string | null
    }
    readonly store: { readonly ok: boolean | null }
    /** Absent where answers never come from a cache. */
    readonly cache?: CacheState
  }
}

export interface ReplicaPolicy {
  readonly max_lag_seconds: number
  readonly lag_policy: 'warn' | 'refuse'
  readonly require_read_only: boolean
}

export interface EngineDependencies {
  readonly executor: Executor
  readonly connector: DatabaseConnector
  /** Null when the store is switched off. */
  readonly store: Store | null
  readonly clock: Clock
  readonly definitions: Definitions
  readonly limits: { readonly max_rows: number }
  readonly replica: ReplicaPolicy
  readonly catalog: SqlCatalog
  /** Reads CSV files of attributes; where it is absent nothing can be imported. */
  readonly importAttributes?: ImportAttributes
  /** Absent: every answer comes from the replica. */
  readonly cache?: ReadThrough | undefined
}

export type RawInput = Readonly<Record<string, unknown>>

export interface AskOptions {
  readonly signal?: AbortSignal
}

/** Answer of /api/segments/validate (http-api.md 6.3). */
export interface SegmentVerdict {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly errors_by_metric: Readonly<Record<string, readonly string[]>>
}

/** What can be listed from the billing engine (http-api.md 5). */
export type ListName = 'customers' | 'subscriptions' | 'invoices'

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
