import type { Interval } from '../core/periods.ts'
import { atMost, type IssueSink, mustBe } from './issues.ts'
import type { ParameterType } from './parameter-types.ts'
import { PARAMETERS } from './parameters.ts'
import { RESERVED_FILTERS, SPEC_FIELDS, unknownField } from './places.ts'
import { agreed, type Given, type Raw, readValue } from './raw-parameters.ts'
import { parseDay } from './values.ts'

/** The spec after the check of its shape. Names and values are validated against the query later. */
export interface RawSpec {
  readonly dimensions: readonly string[]
  /** Filter keys and raw values in request order. */
  readonly filters: readonly (readonly [string, unknown])[]
  readonly granularity: Given<Interval> | undefined
  readonly time_range: Given<readonly [string, string]> | undefined
  /** Id of the segment that narrows everything. */
  readonly segment: Given<string> | undefined
  /** Ids of the segments to compare, each once. */
  readonly compare: Given<readonly string[]> | undefined
}

/**
 * Reads `spec` (http-api.md 2). A wrong shape is `validation_failed`. A present but empty field (null, empty text, empty list) is also
 * refused, because the caller meant to narrow or to split. The segment may also be in `params`.
 */
export function readSpec(params: Raw, raw: Raw, report: IssueSink): RawSpec {
  const fields = Object.entries(raw).filter(([, value]) => value !== undefined)
  for (const [name, value] of atMost(fields, 'spec', 'fields', report)) {
    if (!SPEC_FIELDS.includes(name))
      report('validation_failed', `spec.${name}`, unknownField(name), { value: name, known: SPEC_FIELDS })
    else if (isEmpty(value)) reportEmpty(`spec.${name}`, value, report)
  }
  const filled = Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)))
  const filters = readFilters(filled['filters'], report)
  const at = (place: string) => valueAt(place, { params, spec: { ...filled, filters: Object.fromEntries(filters) } })
  if (at('params.segment') !== undefined && isEmpty(at('params.segment'))) {
    reportEmpty('params.segment', at('params.segment'), report)
  }
  const { dimensions, granularity, segment, compare_segments } = PARAMETERS
  const names = (where: string, type = compare_segments.type) => readNames(type, at(where), where, report)
  const id = (where: string) => (isEmpty(at(where)) ? undefined : readValue(segment.type, at(where), where, report))
  return {
    dimensions: names('spec.dimensions', dimensions.type)?.value ?? [],
    filters: filters.filter(([key]) => !RESERVED_FILTERS.includes(key)),
    granularity: readValue(granularity.type, at('spec.granularity'), 'spec.granularity', report),
    time_range: readTimeRange(at('spec.time_range'), report),
    segment: agreed(segment.places.map(id), 'invalid_value', report),
    compare: agreed(
      compare_segments.places.map((where) => names(where)),
      'invalid_value',
      report,
    ),
  }
}

// A filter key may contain dots, so only the first two separate the place.
function valueAt(place: string, request: Readonly<Record<'params' | 'spec', Raw>>): unknown {
  const [part, field = '', ...key] = place.split('.')
  const value = part === 'params' ? request.params[field] : request.spec[field]
  return key.length === 0 ? value : own(value, key.join('.'))
}

function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined
}

function isEmpty(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === '' || (Array.isArray(raw) && raw.every(isEmpty))
}

function reportEmpty(where: string, value: unknown, report: IssueSink): void {
  const name = where.slice(where.lastIndexOf('.') + 1)
  report('validation_failed', where, `"${name}" is empty: give it a value or leave it out.`, { value })
}

function readNames(
  type: ParameterType<readonly string[]>,
  raw: unknown,
  where: string,
  report: IssueSink,
): Given<readonly string[]> | undefined {
  const given = readValue(type, raw, where, report)
  return given && { ...given, value: atMost(given.value, where, 'names', report) }
}

function readFilters(raw: unknown, report: IssueSink): readonly (readonly [string, unknown])[] {
  const given = readValue(PARAMETERS.filter.type, raw, 'spec.filters', report)
  const filters = atMost(Object.entries(given?.value ?? {}), 'spec.filters', 'filters', report)
  const empty = filters.filter(([name, value]) => RESERVED_FILTERS.includes(name) && isEmpty(value))
  for (const [name, value] of empty) reportEmpty(`spec.filters.${name}`, value, report)
  return filters.filter((filter) => !empty.includes(filter))
}

function readTimeRange(raw: unknown, report: IssueSink): RawSpec['time_range'] {
  if (raw === undefined) return undefined
  const isPair = Array.isArray(raw) && raw.length === 2
  const [start, end] = isPair ? raw.map(parseDay) : []
  if (start !== undefined && end !== undefined) return { value: [start, end], where: 'spec.time_range' }
  const message = mustBe('time_range', 'a list of two dates (YYYY-MM-DD)', raw)
  report(isPair ? 'invalid_value' : 'validation_failed', 'spec.time_range', message, { value: raw })
  return undefined
}
