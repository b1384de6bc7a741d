import { InternalError } from '../core/errors.ts'
import { attributeKeyOf } from './attribute-field.ts'
import { type Audience, audienceReadsBase } from './audience.ts'
import { audienceOf, readNarrowing, type Vocabulary } from './audience-request.ts'
import { type Condition, checkValueCount, parseConditions } from './condition.ts'
import { segmentDimension } from './dimensions/segment.ts'
import type { Field } from './field.ts'
import { collectIssues, type IssueSink, throwIssues } from './issues.ts'
import { filterableFields, groupableFields, offeredParameters, type QueryOffer, usedParameters } from './offer.ts'
import { PARAMETERS } from './parameters.ts'
import { type Raw, type RawParameters, readParameters } from './raw-parameters.ts'
import { type RawSpec, readSpec } from './spec.ts'
import { type ResolvedTime, resolveTime } from './time.ts'
import { pointAt, type RangeTime, type Timeframe } from './timeframe.ts'
import type { Warning } from './warning.ts'

/** A request that has been checked completely; everything after it may trust it. */
export interface QueryRequest {
  readonly time: Timeframe
  /** The day of `at`, where it is allowed beside a range. */
  readonly at: string | undefined
  /** Dimensions to group by, in the order asked for, each once. */
  readonly dimensions: readonly Field[]
  readonly conditions: readonly Condition[]
  /** The customers that count; undefined for all of them. */
  readonly audience: Audience | undefined
  /** Ids of the segments that have rows of their own, in the order asked for; `segment_id` is then the first dimension. */
  readonly compared: readonly string[]
  /** `original` when `currency` is among the dimensions (D14). */
  readonly unit: 'base' | 'original'
  readonly warnings: readonly Warning[]
}

/**
 * The request against what the query offers. AppError with every issue at once. Without a vocabulary attributes and segments are not
 * judged and narrow nothing: enough to know whether they are worth looking up.
 */
export function parseRequest(params: Raw, spec: Raw, offer: QueryOffer, now: Date, vocabulary?: Vocabulary): QueryRequest {
  const { report, issues } = collectIssues()
  const rawParams = readParameters(params, offeredParameters(offer), report)
  const rawSpec = readSpec(spec, report)
  const resolved = resolveTime(rawParams, rawSpec, offer, now, report)
  const isSeries = answersPeriods(rawParams, rawSpec, offer)
  const dimensions = readDimensions(rawSpec, offer, isSeries, report)
  const conditions = readConditions(rawSpec, offer, isSeries, report)
  const narrowing = readNarrowing(rawParams, rawSpec, offer, vocabulary, report)
  throwIssues(issues)
  if (resolved === undefined) throw new InternalError('a request without a time and without an issue')
  const audience = audienceOf(narrowing, referenceInstant(resolved, offer, now))
  const compared = audience?.splits === true ? audience.branches.map(({ segment_id }) => segment_id) : []
  return {
    time: resolved.time,
    at: resolved.at,
    dimensions: [...(compared.length === 0 ? [] : [segmentDimension(compared)]), ...dimensions],
    conditions,
    audience,
    compared,
    unit: dimensions.some((field) => field.key === 'currency') ? 'original' : 'base',
    warnings: [...unusedWarning(rawParams, offer, resolved.time), ...clampedWarning(resolved.isClamped)],
  }
}

/** The time of a query that only takes ranges. */
export function rangeTime(request: QueryRequest): RangeTime {
  if (request.time.kind === 'range') return request.time
  throw new InternalError('a query over a range was asked for a point')
}

/** True when base amounts decide the answer, so that a missing rate must fail it (D14). */
export function readsBaseAmounts(request: Pick<QueryRequest, 'unit' | 'dimensions' | 'conditions' | 'audience'>): boolean {
  return request.unit === 'base' || fieldsOf(request).some((field) => field.readsBase) || audienceReadsBase(request.audience)
}

/** Every field that groups or filters. */
export function fieldsOf(request: Pick<QueryRequest, 'dimensions' | 'conditions'>): readonly Field[] {
  return [...request.dimensions, ...request.conditions.map((condition) => condition.field)]
}

// `at` beside a range, or the end of what is asked for (D62).
function referenceInstant({ time, at }: ResolvedTime, offer: QueryOffer, now: Date): Date {
  if (offer.dates === 'range_and_at' && at !== undefined) return pointAt(at, now).before
  return time.kind === 'point' ? time.before : time.to
}

function answersPeriods(params: RawParameters, spec: RawSpec, offer: QueryOffer): boolean {
  if (offer.dates !== 'point_or_range') return offer.step === 'interval'
  return params.given.has('start') || params.given.has('end') || spec.time_range !== undefined
}

/** Dimensions to group by; those the query does not offer are reported. */
export function readDimensions(spec: RawSpec, offer: QueryOffer, isSeries: boolean, report: IssueSink): readonly Field[] {
  const available = groupableFields(offer, isSeries)
  return spec.dimensions.flatMap((name) => {
    const field = available.find((candidate) => candidate.key === name)
    if (field === undefined) {
      report('unknown_dimension', 'spec.dimensions', `Unknown dimension "${name}".`, {
        value: name,
        known: available.map((candidate) => candidate.key),
        context: availableNames(offer, isSeries),
      })
      return []
    }
    return offer.key_columns.includes(name) ? [] : [field]
  })
}

/** Conditions of the filters; keys the query does not offer and values that do not fit are reported. */
export function readConditions(spec: RawSpec, offer: QueryOffer, isSeries: boolean, report: IssueSink): readonly Condition[] {
  const available = filterableFields(offer, isSeries)
  const conditions = spec.filters.flatMap(([key, raw]) => {
    if (offer.compare !== 'none' && attributeKeyOf(key) !== undefined) return []
    const field = available.find((candidate) => candidate.key === key)
    if (field !== undefined) return parseConditions(field, raw, `spec.filters.${key}`, report)
    report('unknown_filter', `spec.filters.${key}`, `Unknown filter "${key}".`, {
      value: key,
      known: available.map((candidate) => candidate.key),
      context: availableNames(offer, isSeries),
    })
    return []
  })
  checkValueCount(conditions, 'spec.filters', report)
  return conditions
}

function availableNames(offer: QueryOffer, isSeries: boolean): Record<string, readonly string[]> {
  return {
    available_dimensions: keys(groupableFields(offer, isSeries)),
    available_filters: keys(filterableFields(offer, isSeries)),
  }
}

function keys(fields: readonly Field[]): readonly string[] {
  return fields.map((field) => field.key).sort()
}

function unusedWarning(params: RawParameters, offer: QueryOffer, time: Timeframe): readonly Warning[] {
  const used: readonly string[] = usedParameters(offer)
  const idleSteps = time.kind === 'point' ? ['interval', 'granularity'] : []
  const unused = [...params.given].filter(
    (name) => Object.hasOwn(PARAMETERS, name) && (!used.includes(name) || idleSteps.includes(name)),
  )
  if (unused.length === 0) return []
  const message = `Without effect on this query: ${unused.join(', ')}.`
  return [{ code: 'unused_parameter', message, count: unused.length }]
}

function clampedWarning(isClamped: boolean): readonly Warning[] {
  return isClamped ? [{ code: 'future_clamped', message: 'A date after today was answered as of now.' }] : []
}
