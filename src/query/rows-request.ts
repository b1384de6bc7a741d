import { BEGINNING, dayOf } from '../core/periods.ts'
import type { QueryInputs } from './inputs.ts'
import { type IssueSink, oneOf } from './issues.ts'
import { type OrderTerm, readOrder } from './order.ts'
import { type Earlier, earlierDays, type RequestDays, upTo } from './ranges.ts'
import type { Given, RawParameters } from './raw-parameters.ts'
import type { RawSpec } from './spec.ts'
import type { ResolvedTime } from './timeframe.ts'

/** Order, page and comparison of an answer's rows (http-api.md 1.9). */
export interface RowsRequest {
  readonly order: readonly OrderTerm[]
  readonly limit: number | undefined
  readonly offset: number
  /** True for an extra row that sums up the rows not shown. */
  readonly hasOtherRow: boolean
  readonly compared: { readonly to: Earlier; readonly days: RequestDays } | undefined
  /** True if the range has no explicit start. Periods before the first figure are then left out. */
  readonly isTrimmed: boolean
}

/** The rows of a query, as known before it runs: what a request may sort, page and compare. */
export interface RowInputs {
  /** True if the answer is a list even without dimensions. */
  readonly isList: boolean
  /** Key columns without the period. */
  readonly keys: readonly string[]
  readonly measures: readonly string[]
  /** Measures that exist only if the request groups by `currency`. */
  readonly original: readonly string[]
  /** True if at least one measure can be summed across rows. */
  readonly canAdd: boolean
  /** Queries of the metric that support `compare_to`. */
  readonly comparable: readonly string[]
  readonly isComparable: boolean
}

/** A request that is only partly read. */
export interface RequestDraft {
  readonly params: RawParameters
  readonly spec: RawSpec
  /** True if the answer has periods, for a query that can answer with or without. */
  readonly isSeries: boolean
  /** Undefined if an issue was reported. */
  readonly resolved: ResolvedTime | undefined
  readonly today: string
}

/** Validates order, page and comparison against the expected rows. */
export function readRows(asked: RequestDraft, inputs: QueryInputs, about: RowInputs, report: IssueSink): RowsRequest {
  const { params, spec } = asked
  const shape = shapeOf(asked, inputs, about)
  if (shape.refusal !== undefined) refuseRows(params, inputs, shape.refusal, report)
  const compared = readComparison(asked, about, report)
  const order = shape.refusal === undefined ? readOrder(params.order, sortable(about, shape, compared), report) : []
  const hasOwnLimit = inputs.own_parameters.includes('limit')
  const hasOtherRow = params.rest?.value === true
  if (hasOtherRow && shape.refusal === undefined) checkOtherRow(asked, about, shape, report)
  return {
    order,
    limit: hasOwnLimit ? undefined : params.limit?.value,
    offset: params.offset?.value ?? 0,
    hasOtherRow,
    compared,
    isTrimmed: params.range?.value.kind === 'all' && spec.time_range === undefined,
  }
}

interface RowsShape {
  /** Dimensions that are separate columns. */
  readonly dimensions: readonly string[]
  readonly splits: boolean
  /** Reason why the rows cannot be sorted or paged; undefined if they can. */
  readonly refusal: string | undefined
}

function shapeOf({ params, spec, isSeries }: RequestDraft, inputs: QueryInputs, { isList }: RowInputs): RowsShape {
  const granularity = params.given.has('granularity') || spec.granularity !== undefined
  const hasPeriods = inputs.step === 'interval' ? isSeries : inputs.step === 'granularity' && granularity
  const dimensions = spec.dimensions.filter((name) => !inputs.key_columns.includes(name))
  const splits = spec.compare !== undefined && (inputs.compare === 'rows' || params.per_segment?.value === true)
  const isGrouped = isList || dimensions.length > 0 || splits
  const refusal = hasPeriods
    ? 'needs a list without periods; this one has a row for each period'
    : isGrouped
      ? undefined
      : 'needs a list: group by "dimensions"'
  return { dimensions, splits, refusal }
}

function refuseRows({ order, limit, offset, rest }: RawParameters, inputs: QueryInputs, why: string, report: IssueSink): void {
  const own: readonly string[] = inputs.own_parameters
  const given = { order, limit, offset, rest: rest?.value === true ? rest : undefined }
  for (const [name, one] of Object.entries(given)) {
    if (one !== undefined && !own.includes(name)) report('invalid_value', one.where, `"${name}" ${why}.`)
  }
}

function sortable(about: RowInputs, { dimensions, splits }: RowsShape, compared: RowsRequest['compared']): readonly string[] {
  const isOriginal = dimensions.includes('currency')
  const measures = about.measures.filter((name) => isOriginal || !about.original.includes(name))
  const segment = splits ? ['segment_id', 'segment_name'] : []
  const added = (name: string) => (compared === undefined ? [name] : [name, `previous_${name}`, `change_${name}`])
  return [...segment, ...about.keys, ...dimensions, ...measures.flatMap(added)]
}

function checkOtherRow({ params }: RequestDraft, about: RowInputs, { dimensions, splits }: RowsShape, report: IssueSink): void {
  const refuse = (why: string) => report('invalid_value', 'params.rest', `"rest" ${why}.`)
  if (!params.given.has('limit')) refuse('needs a "limit"')
  if (splits) refuse('does not work with compared segments: a customer may be in several')
  if (dimensions.includes('currency'))
    refuse('does not work with the dimension "currency": amounts of several currencies do not add up')
  if (!about.canAdd) refuse('does not work here: no column of these rows adds up')
}

function readComparison(
  { params, spec, resolved, today }: RequestDraft,
  { isComparable, comparable }: RowInputs,
  report: IssueSink,
): RowsRequest['compared'] {
  const given: Given<Earlier> | undefined = params.compare_to
  if (given === undefined) return undefined
  const { value: to, where } = given
  const refuse = (why: string, context?: Readonly<Record<string, unknown>>) =>
    report('invalid_value', where, `"compare_to" ${why}.`, { value: to, ...(context && { context }) })
  if (spec.compare !== undefined) refuse('and "compare_segments" cannot be combined: give one of them')
  if (!isComparable) {
    const works = comparable.length === 0 ? '' : `; it works on ${oneOf(comparable)}`
    refuse(`does not work on this query${works}`, { available: comparable })
  }
  if (resolved === undefined) return undefined
  const { time, at } = resolved
  const asked = time.kind === 'point' ? { at: time.day } : { start: time.start, end: time.end, at }
  const days = earlierDays(upTo(today, asked), to, spec.time_range === undefined ? params.range?.value : undefined)
  const first = 'start' in days ? days.start : days.at
  if (first < dayOf(BEGINNING)) refuse(`would compare with days before ${dayOf(BEGINNING)}`)
  return { to, days }
}
