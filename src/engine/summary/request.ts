import { dayOf } from '../../core/periods.ts'
import type { Audience } from '../../query/audience.ts'
import { audienceOf, readNarrowing, type Vocabulary } from '../../query/audience-request.ts'
import type { Condition } from '../../query/condition.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { CUSTOMER_FIELDS } from '../../query/dimensions/customer-fields.ts'
import { SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { collectIssues, type IssueSink, throwIssues } from '../../query/issues.ts'
import type { QueryOffer } from '../../query/offer.ts'
import { type Given, type Raw, type RawParameters, readParameters } from '../../query/raw-parameters.ts'
import { readConditions, readDimensions } from '../../query/request.ts'
import { type RawSpec, readSpec } from '../../query/spec.ts'
import type { Warning } from '../../query/warning.ts'
import { type SummaryWindows, summaryWindows } from './windows.ts'

/** A summary's request after it was checked. */
export interface SummaryRequest {
  readonly windows: SummaryWindows
  readonly conditions: readonly Condition[]
  readonly audience: Audience | undefined
  readonly warnings: readonly Warning[]
}

/** The filters that every metric offers; nothing to group by. */
export const SUMMARY_OFFER: QueryOffer = {
  dates: 'range_and_at',
  step: 'none',
  dimensions: [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS, ...COHORT_DIMENSIONS],
  series_dimensions: [],
  key_columns: [],
  can_group: false,
  time_fields: [],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: [],
}

const SUMMARY_PARAMETERS = ['at', 'start', 'end', 'segment', 'compare_segments', 'filter', 'format'] as const
const WITHOUT_EFFECT = ['interval', 'type']

/** The request against what the summary takes (http-api.md 3.1), as parseRequest does. AppError with every issue at once. */
export function parseSummary(params: Raw, spec: Raw, offer: QueryOffer, now: Date, vocabulary?: Vocabulary): SummaryRequest {
  const { report, issues } = collectIssues()
  const rawParams = readParameters(params, SUMMARY_PARAMETERS, report)
  const rawSpec = readSpec(spec, report)
  refuseSlices(rawParams, rawSpec, report)
  readDimensions(rawSpec, offer, false, report)
  const conditions = readConditions(rawSpec, offer, false, report)
  const narrowing = readNarrowing(rawParams, rawSpec, offer, vocabulary, report)
  const { start, end } = readRange(rawParams, rawSpec, report)
  throwIssues(issues)
  const day = end?.value ?? dayOf(now)
  const windows = summaryWindows(start?.value, day, now)
  const unused = WITHOUT_EFFECT.filter((name) => rawParams.given.has(name))
  return {
    windows,
    conditions,
    audience: audienceOf(narrowing, windows.as_of.before),
    warnings: [
      ...(unused.length === 0 ? [] : [unusedWarning(unused)]),
      ...(day > dayOf(now) ? [{ code: 'future_clamped', message: 'A date after today was answered as of now.' } as const] : []),
    ],
  }
}

function unusedWarning(names: readonly string[]): Warning {
  return { code: 'unused_parameter', message: `Without effect on the summary: ${names.join(', ')}.`, count: names.length }
}

function refuseSlices({ granularity, given }: RawParameters, spec: RawSpec, report: IssueSink): void {
  const step = granularity ?? spec.granularity
  if (step !== undefined) {
    const context = { available: [] }
    report('invalid_interval', step.where, 'The summary is not cut into periods.', { value: step.value, context })
  }
  if (given.has('query_type')) report('invalid_value', 'params.query_type', 'The summary has no query types.')
}

function readRange(
  params: RawParameters,
  spec: RawSpec,
  report: IssueSink,
): { readonly start: Given<string> | undefined; readonly end: Given<string> | undefined } {
  const range = spec.time_range
  const start = params.start ?? (range && { value: range.value[0], where: range.where })
  const end = params.end ?? params.at ?? (range && { value: range.value[1], where: range.where })
  if (params.given.has('at') && (params.given.has('end') || range !== undefined)) {
    report('invalid_range', 'params.at', '"at" and "end" mean the same here: give one of them.')
  }
  const hasEnd = params.given.has('end') || params.given.has('at') || range !== undefined
  if (params.given.has('start') && !hasEnd) {
    report('invalid_range', 'params.end', '"end" is missing.', { context: { missing: ['end'] } })
  }
  if (start !== undefined && end !== undefined && start.value > end.value) {
    const message = `The range ends on ${end.value}, before it starts on ${start.value}.`
    report('invalid_range', start.where, message, { value: start.value })
  }
  return { start, end }
}
