import { suggest } from '../../core/errors.ts'
import { dayOf } from '../../core/periods.ts'
import type { Audience } from '../../query/audience.ts'
import { audienceOf, readNarrowing, type Vocabulary } from '../../query/audience-request.ts'
import type { Condition } from '../../query/condition.ts'
import { collectIssues, type IssueSink, throwIssues } from '../../query/issues.ts'
import { BARE_OFFER } from '../../query/offer.ts'
import { PARAMETERS, SINGLE_PARAMETERS, STAGED_PARAMETERS } from '../../query/parameters.ts'
import { isAbsent, type Raw, type RawParameters, readParameters, single } from '../../query/raw-parameters.ts'
import { readConditions, readDimensions } from '../../query/request.ts'
import { type RawSpec, readSpec } from '../../query/spec.ts'
import { pointAt } from '../../query/timeframe.ts'
import { parseValue } from '../../query/values.ts'
import type { Warning } from '../../query/warning.ts'
import type { ListDefinition } from './definition.ts'
import type { DataParameter } from './parameters.ts'

/** What narrows a list, and the page of it. Days are `YYYY-MM-DD`, both included. */
export interface DataRequest {
  readonly limit: number
  readonly offset: number
  readonly search: string | undefined
  readonly source_id: string | undefined
  readonly customer_id: string | undefined
  readonly start: string | undefined
  readonly end: string | undefined
  readonly conditions: readonly Condition[]
  readonly audience: Audience | undefined
  readonly warnings: readonly Warning[]
}

/** What an endpoint takes of its own, and what its filters may name. */
export type DataOffer = Pick<ListDefinition, 'fields' | 'statuses'> & {
  readonly own: readonly DataParameter[]
  readonly takesDays: boolean
  readonly takesSegment: boolean
}

const NARROWING = { compare: 'union', own_parameters: [] } as const
const OFFSET_LIMIT = 1_000_000_000_000

/** The request against what the endpoint takes (http-api.md 5). AppError with every issue at once. */
export function parseData(params: Raw, spec: Raw, offer: DataOffer, now: Date, vocabulary?: Vocabulary): DataRequest {
  const { report, issues } = collectIssues()
  reportUnknown(params, offer, report)
  const common = Object.fromEntries(Object.entries(params).filter(([name]) => isCommon(name)))
  const rawParams = readParameters(common, [], report)
  const rawSpec = readSpec(spec, report)
  const slices = { ...BARE_OFFER, filter_fields: offer.fields }
  refuseSlices(rawParams, rawSpec, report)
  readDimensions(rawSpec, slices, false, report)
  const conditions = readConditions(rawSpec, slices, false, report)
  checkStatuses(conditions, offer.statuses, report)
  const own = (name: DataParameter) => (offer.own.includes(name) ? single(params[name], `params.${name}`, report) : undefined)
  // A list is about now, and so is who is in the segment.
  const narrowing = readNarrowing(rawParams, segmentOnly(rawSpec, offer), NARROWING, vocabulary, report)
  const days = offer.takesDays ? readDays(rawParams, report) : {}
  const request = {
    limit: readCount('limit', own('limit'), { first: 1, last: 1000 }, report) ?? 100,
    offset: readCount('offset', own('offset'), { first: 0, last: OFFSET_LIMIT }, report) ?? 0,
    search: readText('search', own('search'), report),
    source_id: readText('source_id', own('source_id'), report),
    customer_id: readText('customer_id', own('customer_id'), report),
    start: days.start,
    end: days.end,
    conditions,
    audience: audienceOf(narrowing, pointAt(dayOf(now), now).before),
    warnings: unusedWarning(rawParams, rawSpec, offer),
  }
  throwIssues(issues)
  return request
}

// Lists are filtered by their own fields, and compare nothing.
function segmentOnly(spec: RawSpec, { takesSegment }: DataOffer): RawSpec {
  return { ...spec, segment: takesSegment ? spec.segment : undefined, compare: undefined, filters: [] }
}

function isCommon(name: string): boolean {
  return SINGLE_PARAMETERS.some((known) => known === name) || STAGED_PARAMETERS.includes(name)
}

function reportUnknown(params: Raw, { own, takesDays, takesSegment }: DataOffer, report: IssueSink): void {
  const days = takesDays ? ['start', 'end'] : []
  const known = [...own, ...days, ...(takesSegment ? ['segment'] : []), 'filter', 'format'].sort()
  for (const [name, raw] of Object.entries(params)) {
    if (isAbsent(raw) || own.some((parameter) => parameter === name) || (isCommon(name) && name !== 'query_type')) continue
    const context = { available: known }
    report('invalid_value', `params.${name}`, `Unknown parameter "${name}".`, { value: raw, word: name, known, context })
  }
}

function refuseSlices({ granularity }: RawParameters, spec: RawSpec, report: IssueSink): void {
  const step = granularity ?? spec.granularity
  if (step === undefined) return
  const context = { available: [] }
  report('invalid_interval', step.where, 'A list of records is not cut into periods.', { value: step.value, context })
}

function checkStatuses(conditions: readonly Condition[], statuses: readonly string[], report: IssueSink): void {
  for (const { field, operator, values } of conditions) {
    if (field.key !== 'status' || !['=', '!=', 'in', 'not in'].includes(operator)) continue
    for (const value of values.map(String).filter((word) => !statuses.includes(word))) {
      const near = suggest(value, statuses)
      const message = `There is no status "${value}".`
      report('invalid_value', 'spec.filters.status', message, { value, known: near, context: { available: statuses } })
    }
  }
}

function readDays(params: RawParameters, report: IssueSink): { readonly start?: string; readonly end?: string } {
  const { start, end } = params
  if (start !== undefined && end !== undefined && start.value > end.value) {
    const message = `The range ends on ${end.value}, before it starts on ${start.value}.`
    report('invalid_range', start.where, message, { value: start.value })
  }
  return { ...(start && { start: start.value }), ...(end && { end: end.value }) }
}

function readCount(
  name: 'limit' | 'offset',
  raw: unknown,
  { first, last }: { readonly first: number; readonly last: number },
  report: IssueSink,
): number | undefined {
  if (raw === undefined) return undefined
  const count = typeof raw === 'number' || (typeof raw === 'string' && /^\d{1,15}$/.test(raw)) ? Number(raw) : Number.NaN
  if (Number.isSafeInteger(count) && count >= first && count <= last) return count
  report('invalid_value', `params.${name}`, `"${name}" is a whole number from ${first} to ${last}.`, { value: raw })
  return undefined
}

function readText(name: DataParameter, raw: unknown, report: IssueSink): string | undefined {
  if (raw === undefined) return undefined
  const value = parseValue(raw, 'string', false)
  if (typeof value === 'string') return value
  report('invalid_value', `params.${name}`, `"${name}" is text.`, { value: raw })
  return undefined
}

function unusedWarning({ given }: RawParameters, spec: RawSpec, { takesDays, takesSegment }: DataOffer): readonly Warning[] {
  const used = ['format', 'granularity', 'query_type', ...(takesDays ? ['start', 'end'] : [])]
  const unused = [
    ...[...given].filter((name) => Object.hasOwn(PARAMETERS, name) && !used.includes(name)),
    ...(spec.segment === undefined || takesSegment ? [] : ['segment']),
    ...(spec.compare === undefined ? [] : ['compare_segments']),
  ]
  if (unused.length === 0) return []
  return [{ code: 'unused_parameter', message: `Without effect on this list: ${unused.join(', ')}.`, count: unused.length }]
}
