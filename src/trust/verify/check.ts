import type { HistoryReport } from '../../connector-kit/connector.ts'
import { AppError } from '../../core/errors.ts'
import type { Days } from '../../execution/answer/answer.ts'
import type { MetricDefinition } from '../../metrics/define-metric.ts'
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

/** Dimensions that identities are also grouped by: of plans, of customers, and of amounts. `groups_add_up` covers all. */
const GROUPED_BY: readonly string[] = ['plan_id', 'customer_country', 'currency']

/** The most detailed dimensions: a row for nearly each customer. */
export const DETAILED: readonly string[] = ['customer_id', 'customer_name', 'bundle_id']

/** The check of an identity over the whole range, and by a few dimensions where the identity is grouped. */
export function checkOf({ queries, isGrouped, holds, ...about }: Identity): Check {
  return {
    ...about,
    run: (context) => {
      const dimensions = isGrouped ? context.dimensionsOf(queries).filter((key) => GROUPED_BY.includes(key)) : []
      // If only the billing database answers one of the queries, it answers all of them.
      const asked = context.metrics.filter(({ name }) => queries.some((query) => query.startsWith(`${name}.`)))
      const metric = asked.find(({ reads_replica }) => reads_replica === true) ?? {}
      const groupings = [[], ...dimensions.map((key) => [key])].map((grouping) => ({ grouping, metric }))
      return inSnapshots(
        groupings,
        context,
        (ask) =>
          ({ grouping }) =>
            holds(ask, { range: context.range, dimensions: grouping, filters: {} }),
      )
    },
  }
}

/** The sum of the parts. After the budget, it leaves out the rest and says so. The first part always begins. */
export async function withinBudget<T>(
  parts: readonly T[],
  context: Pick<VerifyContext, 'signal' | 'budget_ms' | 'onPart'>,
  run: (part: T) => Promise<Found>,
): Promise<Found> {
  const onFound = (soFar: readonly Found[]) => context.onPart(sumOf(soFar, parts.length))
  return sumOf(await begunWithin(parts, { ...context, onFound }, run), parts.length)
}

/** The outcomes of the parts that begin before the budget is spent, at least of the first one. */
async function begunWithin<T>(
  parts: readonly T[],
  {
    signal,
    budget_ms,
    onFound,
  }: Pick<VerifyContext, 'signal' | 'budget_ms'> & { readonly onFound: (soFar: readonly Found[]) => void },
  run: (part: T) => Promise<Found>,
): Promise<readonly Found[]> {
  const begun = performance.now()
  const found: Found[] = []
  for (const part of parts) {
    signal.throwIfAborted()
    if (found.length > 0 && performance.now() - begun > budget_ms) break
    found.push(await run(part))
    onFound(found)
  }
  return found
}

/** A part of a check that asks queries of one metric. */
interface PartOfMetric {
  readonly metric: Pick<MetricDefinition, 'reads_replica'>
}

/**
 * As `withinBudget`, where `open` gives what runs a part in a snapshot. Metrics that only the billing database answers have a snapshot of it:
 * in that of a cache, their first question would send all questions of the check to the billing database.
 */
export async function inSnapshots<T extends PartOfMetric>(
  parts: readonly T[],
  context: Pick<VerifyContext, 'signal' | 'budget_ms' | 'onPart' | 'inSnapshot'>,
  open: (ask: Ask) => (part: T) => Promise<Found>,
): Promise<Found> {
  const over = performance.now() + context.budget_ms
  const isDirect = ({ metric }: T) => metric.reads_replica === true
  const batches = [
    { own: parts.filter((part) => !isDirect(part)), source: undefined },
    { own: parts.filter(isDirect), source: 'replica' as const },
  ]
  let found: readonly Found[] = []
  let left = parts.length
  for (const { own, source } of batches.filter((batch) => batch.own.length > 0)) {
    const before = found
    const budget_ms = ((over - performance.now()) * own.length) / left
    const onFound = (soFar: readonly Found[]) => context.onPart(sumOf([...before, ...soFar], parts.length))
    const begun = await context.inSnapshot((ask) => begunWithin(own, { ...context, budget_ms, onFound }, open(ask)), source)
    found = [...before, ...begun]
    left -= own.length
  }
  return sumOf(found, parts.length)
}

/** The outcome of the parts that were checked. `all` is the number of parts. */
function sumOf(found: readonly Found[], all: number): Found {
  const [first] = found
  const late = `not all was checked: ${found.length} of ${all} parts fitted into the time`
  const remarks = [...new Set([...found.map((each) => each.remark), found.length < all ? late : undefined])].filter(
    (each) => each !== undefined,
  )
  return {
    ...first,
    count: found.reduce((sum, { count }) => sum + count, 0),
    faults: found.flatMap(({ faults }) => faults),
    parts: { done: found.reduce((sum, { parts: own }) => sum + (own?.done ?? 1), 0), all },
    ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }),
  }
}

/** The outcome of a part. A query that cannot be answered has a remark in its place: expenses without a store, or tables that the role may not read. */
export function ifSupplied(found: Promise<Found>): Promise<Found> {
  return found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unsupported_by_connector')
      return { count: 0, faults: [], remark: `not checked: ${error.message}` }
    throw error
  })
}

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
