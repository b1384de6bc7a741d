import { sql } from '../compiler/fragment.ts'
import { InternalError } from '../core/errors.ts'
import { dayOf } from '../core/periods.ts'
import { attributeDimension, attributeKeyOf, groupsByAttributes } from './attributes.ts'
import { type Audience, audienceReadsBase } from './audience.ts'
import { attributeNamed, attributeNames, audienceOf, type ResolvedNames, readNarrowing } from './audience-request.ts'
import { type Condition, checkValueCount, parseConditions } from './condition.ts'
import { withTenantNames } from './dimensions/source.ts'
import { defineField, type Field } from './field.ts'
import { forecastSentence } from './forecast.ts'
import { acceptedParameters, filterableFields, groupableFields, type QueryInputs, typesOf, usedParameters } from './inputs.ts'
import { collectIssues, type IssueSink, throwIssues } from './issues.ts'
import { type ParameterValue, parameterNamed } from './parameters.ts'
import { type AcceptedParameters, type Raw, type RawParameters, readParameters } from './raw-parameters.ts'
import type { RequestDraft, RowsRequest } from './rows-request.ts'
import { type RawSpec, readSpec } from './spec.ts'
import { isAhead, namesDay, pointAt, type RangeTime, type ResolvedTime, resolveTime, type Timeframe } from './timeframe.ts'
import type { Warning } from './warning.ts'

/** Options of the ledger in a request. `known_at` is a day. */
export type LedgerRequest = {
  readonly [Name in
    | 'spread'
    | 'one_off'
    | 'unbilled'
    | 'revenue_kinds'
    | 'net_terms'
    | 'buckets'
    | 'receivables_rate'
    | 'recovery_window'
    | 'known_at']?: ParameterValue<Name> | undefined
}

/** A fully validated request. */
export interface QueryRequest {
  readonly time: Timeframe
  /** The day of `at`, if the query allows it with a range. */
  readonly at: string | undefined
  /** Last instant that counts, known now, in a forecast (D80). Undefined: now. */
  readonly until: Date | undefined
  /** True if the request asks for a forecast, also where it does not move the time. */
  readonly is_forecast: boolean
  /** Dimensions to group by, in request order, each once. */
  readonly dimensions: readonly Field[]
  readonly conditions: readonly Condition[]
  /** The customers that count; undefined for all of them. */
  readonly audience: Audience | undefined
  /** Ids of the segments with separate rows, in request order. `segment_id` is then the first dimension. */
  readonly compared: readonly string[]
  /** Most entries of a list inside the answer, if the query has its own limit. */
  readonly limit: number | undefined
  /** `original` if the request groups by `currency` (D14). */
  readonly unit: 'base' | 'original'
  /** Order, page and comparison of the rows; undefined if there are none. */
  readonly rows?: RowsRequest
  /** Format of amounts in the answer. */
  readonly money: 'cents' | 'units'
  /** Options of the ledger that the request states. The others are those of its definitions. */
  readonly ledger?: LedgerRequest
  /** True if the answer comes with its explanation, whose statements may show customers. */
  readonly explains?: boolean
  readonly warnings: readonly Warning[]
}

/**
 * Validates a request against the inputs of its query. AppError with all issues together. Without `resolvedNames`, attributes and segments
 * are not validated and narrow nothing. That is enough to decide if they are worth a lookup. `taken` are the accepted parameters;
 * `readRows` validates those about the rows of the answer.
 */
export function parseRequest(
  params: Raw,
  spec: Raw,
  inputs: QueryInputs,
  now: Date,
  resolvedNames?: ResolvedNames,
  taken: AcceptedParameters = { own: usedParameters(inputs), accepted: acceptedParameters(inputs), types: typesOf(inputs) },
  readRows?: (asked: RequestDraft, report: IssueSink) => RowsRequest,
): QueryRequest {
  const { report, issues } = collectIssues()
  const rawParams = readParameters(params, taken, report)
  const rawSpec = readSpec(params, spec, report)
  const resolved = resolveTime(rawParams, rawSpec, inputs, now, report)
  const isSeries = answersPeriods(rawParams, rawSpec, inputs)
  const dimensions = readDimensions(rawSpec, inputs, isSeries, report, resolvedNames)
  const conditions = readConditions(rawSpec, inputs, isSeries, report, resolvedNames)
  const narrowing = readNarrowing(rawParams, rawSpec, inputs, resolvedNames, report)
  const rows = readRows?.({ params: rawParams, spec: rawSpec, isSeries, resolved, today: dayOf(resolved?.until ?? now) }, report)
  reportKnown(rawParams, resolved, report)
  throwIssues(issues)
  if (resolved === undefined) throw new InternalError('a request without a time and without an issue')
  const audience = audienceOf(narrowing, referenceInstant(resolved, inputs, now))
  const compared = audience?.splits === true ? audience.branches.map(({ segment_id }) => segment_id) : []
  return {
    time: resolved.time,
    at: resolved.at,
    until: resolved.until,
    is_forecast: rawParams.forecast?.value === true,
    dimensions: [...(compared.length === 0 ? [] : [segmentDimension(compared)]), ...dimensions],
    conditions,
    audience,
    compared,
    limit: rawParams.limit?.value,
    unit: dimensions.some((field) => field.key === 'currency') ? 'original' : 'base',
    ...(rows === undefined ? {} : { rows }),
    money: rawParams.money?.value ?? 'cents',
    ledger: ledgerOf(rawParams),
    explains: rawParams.explain?.value === true,
    warnings: [
      ...unusedWarning(rawParams, inputs, resolved.time),
      ...clampedWarning(resolved.isClamped),
      ...(isAhead(resolved.time, now) ? [forecastWarning(now)] : []),
    ],
  }
}

/** The options of the ledger among the parameters. */
export function ledgerOf(params: RawParameters): LedgerRequest {
  const { spread, one_off, unbilled, revenue_kinds, net_terms, buckets, receivables_rate, recovery_window, known_at } = params
  return {
    spread: spread?.value,
    one_off: one_off?.value,
    unbilled: unbilled?.value,
    revenue_kinds: revenue_kinds?.value,
    net_terms: net_terms?.value,
    buckets: buckets?.value,
    receivables_rate: receivables_rate?.value,
    recovery_window: recovery_window?.value,
    known_at: known_at?.value,
  }
}

// The books of a day before the range would be empty in all of it (R22).
function reportKnown({ known_at }: RawParameters, resolved: ResolvedTime | undefined, report: IssueSink): void {
  if (known_at === undefined || resolved === undefined || resolved.time.kind === 'point') return
  const { start } = resolved.time
  if (known_at.value >= start) return
  report('invalid_range', known_at.where, `"known_at" must be ${start} or later, the start of the range.`, {
    value: known_at.value,
  })
}

/** The time of a query that only takes ranges. */
export function rangeTime(request: QueryRequest): RangeTime {
  if (request.time.kind === 'range') return request.time
  throw new InternalError('a query over a range was asked for a point')
}

/** True if the answer depends on base amounts, so that a missing rate must fail it (D14). */
export function readsBaseAmounts(request: Pick<QueryRequest, 'unit' | 'dimensions' | 'conditions' | 'audience'>): boolean {
  return request.unit === 'base' || fieldsOf(request).some((field) => field.readsBase) || audienceReadsBase(request.audience)
}

/** True if the request groups or filters by currency. It then looks at each currency alone (D85). */
export function dividesCurrencies(request: Pick<QueryRequest, 'dimensions' | 'conditions'>): boolean {
  return fieldsOf(request).some(({ key }) => key === 'currency')
}

/** All fields to group or filter by. */
export function fieldsOf(request: Pick<QueryRequest, 'dimensions' | 'conditions'>): readonly Field[] {
  return [...request.dimensions, ...request.conditions.map((condition) => condition.field)]
}

// If the query allows `at` with a range, the end of the day `at`. Otherwise the end of the request's day or range (D62).
function referenceInstant({ time, at }: ResolvedTime, inputs: QueryInputs, now: Date): Date {
  if (inputs.dates === 'range_and_at' && at !== undefined) return pointAt(at, now).before
  return time.kind === 'point' ? time.before : time.to
}

function answersPeriods(params: RawParameters, spec: RawSpec, inputs: QueryInputs): boolean {
  if (inputs.dates !== 'point_or_range') return inputs.step === 'interval'
  return namesDay('start', params, spec) || namesDay('end', params, spec)
}

/** Dimensions to group by. Reports unknown ones. Attributes are left out without `resolvedNames`. */
export function readDimensions(
  spec: RawSpec,
  inputs: QueryInputs,
  isSeries: boolean,
  report: IssueSink,
  resolvedNames?: ResolvedNames,
): readonly Field[] {
  const available = groupableFields(inputs, isSeries)
  const takesAttributes = groupsByAttributes(inputs, isSeries)
  return spec.dimensions.flatMap((name, index) => {
    if (takesAttributes && attributeKeyOf(name) !== undefined) {
      const attribute = resolvedNames && attributeNamed(name, 'spec.dimensions', resolvedNames.attributes, report)
      return attribute === undefined ? [] : [attributeDimension(attribute, index + 1)]
    }
    const field = available.find((candidate) => candidate.key === name)
    if (field === undefined) {
      report('unknown_dimension', 'spec.dimensions', refusedName('dimension', name, inputs), {
        value: name,
        known: [...keys(available), ...(takesAttributes ? namesOf(resolvedNames) : [])],
        context: availableNames(inputs, isSeries, resolvedNames),
      })
      return []
    }
    return inputs.key_columns.includes(name) ? [] : [field]
  })
}

/** Conditions of the filters. Reports unknown keys and invalid values. */
export function readConditions(
  spec: RawSpec,
  inputs: QueryInputs,
  isSeries: boolean,
  report: IssueSink,
  resolvedNames?: ResolvedNames,
): readonly Condition[] {
  const available = filterableFields(inputs, isSeries)
  const takesAttributes = inputs.compare !== 'none'
  const conditions = spec.filters.flatMap(([key, raw]) => {
    if (takesAttributes && attributeKeyOf(key) !== undefined) return []
    const field = available.find((candidate) => candidate.key === key)
    if (field !== undefined)
      return parseConditions(withTenantNames(field, resolvedNames?.tenants), raw, `spec.filters.${key}`, report)
    report('unknown_filter', `spec.filters.${key}`, refusedName('filter', key, inputs), {
      value: key,
      known: [...keys(available), ...(takesAttributes ? namesOf(resolvedNames) : [])],
      context: availableNames(inputs, isSeries, resolvedNames),
    })
    return []
  })
  checkValueCount(conditions, 'spec.filters', report)
  return conditions
}

function refusedName(kind: 'dimension' | 'filter', name: string, { reasons = {} }: QueryInputs): string {
  const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined
  return reason === undefined ? `Unknown ${kind} "${name}".` : `"${name}" cannot be used as a ${kind} here: ${reason}.`
}

// Attributes may be many and long lists are cut, so they come last.
function availableNames(
  inputs: QueryInputs,
  isSeries: boolean,
  resolvedNames: ResolvedNames | undefined,
): Record<string, readonly string[]> {
  const attributes = namesOf(resolvedNames)
  const [grouping, filtering] = [groupsByAttributes(inputs, isSeries), inputs.compare !== 'none']
  return {
    available_dimensions: [...keys(groupableFields(inputs, isSeries)), ...(grouping ? attributes : [])],
    available_filters: [...keys(filterableFields(inputs, isSeries)), ...(filtering ? attributes : [])],
  }
}

function namesOf(resolvedNames: ResolvedNames | undefined): readonly string[] {
  return resolvedNames === undefined ? [] : attributeNames(resolvedNames.attributes)
}

function keys(fields: readonly Field[]): readonly string[] {
  return fields.map((field) => field.key).sort()
}

function unusedWarning(params: RawParameters, inputs: QueryInputs, time: Timeframe): readonly Warning[] {
  const used: readonly string[] = usedParameters(inputs)
  const idleSteps = time.kind === 'point' ? ['interval', 'granularity'] : []
  const unused = [...params.given].filter(
    (name) => parameterNamed(name) !== undefined && (!used.includes(name) || idleSteps.includes(name)),
  )
  if (unused.length === 0) return []
  const message = `Without effect on this query: ${unused.join(', ')}.`
  return [{ code: 'unused_parameter', message, count: unused.length }]
}

/** The warning about a day after today. */
export const FUTURE_CLAMPED: Warning = { code: 'future_clamped', message: 'A date after today was answered as of now.' }

function clampedWarning(isClamped: boolean): readonly Warning[] {
  return isClamped ? [FUTURE_CLAMPED] : []
}

/** The warning of an answer about days after today. It names what the answer assumes. */
export function forecastWarning(now: Date): Warning {
  return { code: 'forecast', message: forecastSentence(dayOf(now)) }
}

/** The compared segments as a dimension, in request order. Templates need no knowledge of it. */
function segmentDimension(ids: readonly string[]): Field {
  return defineField({
    key: 'segment_id',
    shows: 'totals',
    type: 'string',
    description: 'Id of the segment of this row.',
    constant: 'always',
    joins: ['segment'],
    order: ids,
    expression: () => sql`seg.segment_id`,
  })
}
