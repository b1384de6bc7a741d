import type { HistoryReport } from '../../connector-kit/connector.ts'
import type { Days } from '../../execution/answer/answer.ts'
import type { MetricDefinition } from '../../metrics/define-metric.ts'
import type { JudgedRecord } from '../../metrics/ledger/judged.ts'
import type { Row } from '../../ports/rows.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import type { MissingRate } from '../../workspace/exchange-rates/resource.ts'

/** A place where a check does not hold. */
export interface Fault {
  /** Id of the fault: the id of a customer or record, or the name of a question and its group. */
  readonly id: string
  readonly expected?: number | null
  readonly actual?: number | null
  readonly message: string
}

/** The outcome of a check. */
export interface Found {
  /** Number of comparisons, in the unit of the check. */
  readonly count: number
  readonly faults: readonly Fault[]
  /** Both sides of an equation that holds. */
  readonly expected?: number
  readonly actual?: number
  /** Parts of the check, and how many were checked. Absent: it has one, which was. */
  readonly parts?: Parts
  /** More about the outcome, in words. */
  readonly remark?: string
}

/** Parts of a check: all, and those that were checked. */
interface Parts {
  readonly done: number
  readonly all: number
}

/** Questions of one snapshot. */
export interface Ask {
  /** The answer of a query `metric.query_type`. AppError as for any request. */
  value(query: string, params: Raw, spec?: Raw): Promise<unknown>
  /** The rows of such an answer. */
  rows(query: string, params: Raw, spec?: Raw): Promise<readonly Row[]>
  /** The sum of the rows behind a number of such an answer. `params` also name its cell and measure (http-api.md 15). */
  sumOfRows(query: string, params: Raw, spec?: Raw): Promise<number>
  /** Plans without a price that subscriptions used in these days. `flaw` says why a price cannot be read, as the end of a sentence. */
  unpriced(range: Days): Promise<
    readonly {
      readonly plan_id: string
      readonly currency: string | null
      readonly count: number
      readonly flaw: string | undefined
    }[]
  >
  /**
   * Charges of the books at the end of a day, or invoices as of now, that break a rule, and all others together. Undefined if invoices cannot be
   * compared, because the payments of the books are inferred.
   */
  books(kind: 'charges' | 'invoices', day: string): Promise<readonly JudgedRecord[] | undefined>
  /** True if plans may lack a price. Their subscriptions count as 0. */
  readonly allows_unpriced: boolean
  readonly base_currency: string
}

/** The range, grouping and filters for which an identity is checked. */
export interface Scope {
  readonly range: Days
  readonly dimensions: readonly string[]
  readonly filters: Raw
}

/** Facts that no query answers. */
export interface Facts {
  missingRates(): Promise<readonly MissingRate[]>
  /** Undefined: the connector cannot compare its history. */
  readonly history?: () => Promise<HistoryReport>
  /**
   * The answers of a query from both sources, at one instant, or the reason for which there is no cache. Waits for a cache that is being filled
   * until the signal fires.
   */
  readonly bothSources: (signal: AbortSignal) => Promise<{ readonly compare: CompareSources } | { readonly reason: string }>
}

/** Answers of the database and of the cache. Null: one of them did not answer. */
export type CompareSources = (
  query: string,
  params: Raw,
  spec: Raw,
) => Promise<{ readonly direct: unknown; readonly cached: unknown } | null>

/** All that a check may use. */
export interface VerifyContext {
  readonly range: Days
  readonly today: string
  readonly metrics: readonly MetricDefinition[]
  readonly facts: Facts
  /** Fires if the caller leaves, and at the end of the time for all checks. It cancels a query that runs. */
  readonly signal: AbortSignal
  /** Called after each part with the outcome so far, which is the result of a check that does not end in time. */
  readonly onPart: (soFar: Found) => void
  /** Milliseconds after which the check begins no other part. */
  readonly budget_ms: number
  /** Dimensions by which all of these queries can be grouped. */
  dimensionsOf(queries: readonly string[]): readonly string[]
  /** Whether the connector supplies what the query needs. */
  isSupplied(query: string): boolean
  /** Opens one snapshot for the questions of `work`: of the billing database if only that can answer them. */
  inSnapshot<T>(work: (ask: Ask) => Promise<T>, source?: 'replica'): Promise<T>
  /** True if only the billing database answers the query. */
  isDirect(query: string): boolean
}

/** A check of the user's own data. */
export interface Check {
  readonly name: string
  /** The rule that holds if nothing is wrong, as a sentence. */
  readonly description: string
  /** The identities of definitions.md 16 that it checks. */
  readonly identities: readonly string[]
  /** The things that `count` counts. */
  readonly unit: string
  /** Its share of the time, where 1 is that of a usual check. Default: 1. */
  readonly share?: number
  run(context: VerifyContext): Promise<Found>
}

/** An equation between answers that holds for each range, grouping and filter. */
export interface Identity extends Omit<Check, 'run'> {
  /** The queries that it asks, as `metric.query_type`. */
  readonly queries: readonly string[]
  /** Whether `verify` also groups by a few dimensions. */
  readonly isGrouped: boolean
  holds(ask: Ask, scope: Scope): Promise<Found>
}

/** The most detailed dimensions: a row for nearly each customer. */
export const DETAILED: readonly string[] = ['customer_id', 'customer_name', 'bundle_id']

/** Compares pairs of numbers. Each pair that differs is a fault. */
export function compare(
  pairs: readonly {
    readonly id: string
    readonly what: string
    readonly expected: number | null
    readonly actual: number | null
  }[],
): Found {
  const faults = pairs
    .filter(({ expected, actual }) => expected !== actual)
    .map(({ id, what, expected, actual }) => ({
      id,
      expected,
      actual,
      message: `${what}: ${expected ?? 'null'} expected, ${actual ?? 'null'} found`,
    }))
  const [only, ...others] = pairs
  const isNumber = only !== undefined && others.length === 0 && only.expected !== null && only.actual !== null
  return {
    count: pairs.length,
    faults,
    ...(isNumber ? { expected: only.expected as number, actual: only.actual as number } : {}),
  }
}

/** The outcomes of two comparisons as one. */
export function together(...found: readonly Found[]): Found {
  return {
    ...found[0],
    count: found.reduce((sum, { count }) => sum + count, 0),
    faults: found.flatMap(({ faults }) => faults),
  }
}
