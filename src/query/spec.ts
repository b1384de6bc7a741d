import type { Interval } from '../core/periods.ts'
import type { IssueSink } from './issues.ts'
import { SPEC_FIELDS, unknownField } from './places.ts'
import { type Given, isAbsent, type Raw, readInterval, single } from './raw-parameters.ts'
import { parseDay } from './values.ts'

/** The spec after its shape was checked; names and values are judged against the query later. */
export interface RawSpec {
  readonly dimensions: readonly string[]
  /** Filter key and raw value, in the order given. */
  readonly filters: readonly (readonly [string, unknown])[]
  readonly granularity: Given<Interval> | undefined
  readonly time_range: Given<readonly [string, string]> | undefined
  /** Id of the segment that narrows everything. */
  readonly segment: Given<string> | undefined
  /** Ids of the segments to compare, each once. */
  readonly compare: Given<readonly string[]> | undefined
}

const SEGMENT_FILTER = '__segment_id__'
const COMPARE_FILTER = '__compare_segment_ids__'

/** Reads `spec` (http-api.md 2); a wrong shape is `validation_failed`. */
export function readSpec(spec: Raw, report: IssueSink): RawSpec {
  for (const [name, raw] of Object.entries(spec)) {
    if (isAbsent(raw)) continue
    if (!SPEC_FIELDS.includes(name))
      report('validation_failed', `spec.${name}`, unknownField(name), { value: name, known: SPEC_FIELDS })
  }
  const filters = readFilters(spec['filters'], report)
  const filter = (name: string) => filters.find(([key]) => key === name)?.[1]
  return {
    dimensions: readNames(spec['dimensions'], 'spec.dimensions', report),
    filters: filters.filter(([key]) => key !== SEGMENT_FILTER && key !== COMPARE_FILTER),
    granularity: readInterval(single(spec['granularity'], 'spec.granularity', report), 'spec.granularity', report),
    time_range: readTimeRange(spec['time_range'], report),
    segment: readSegment(spec['segment'], filter(SEGMENT_FILTER), report),
    compare: readCompare(spec['compare'], filter(COMPARE_FILTER), report),
  }
}

function readNames(raw: unknown, where: string, report: IssueSink): readonly string[] {
  if (isAbsent(raw)) return []
  if (Array.isArray(raw) && raw.every((name) => typeof name === 'string')) return [...new Set(raw.filter((name) => name !== ''))]
  report('validation_failed', where, `"${where.slice(where.lastIndexOf('.') + 1)}" is a list of texts.`, { value: raw })
  return []
}

// The reserved filter means the same as the field (http-api.md 2).
function readSegment(field: unknown, filter: unknown, report: IssueSink): Given<string> | undefined {
  const given = [
    { raw: single(field, 'spec.segment', report), where: 'spec.segment' },
    { raw: single(filter, `spec.filters.${SEGMENT_FILTER}`, report), where: `spec.filters.${SEGMENT_FILTER}` },
  ].filter(({ raw }) => raw !== undefined)
  const ids = given.flatMap(({ raw, where }) => {
    if (typeof raw === 'string') return [{ value: raw, where }]
    report('invalid_value', where, 'A segment is named by its id.', { value: raw })
    return []
  })
  const [first, second] = ids
  if (first !== undefined && second !== undefined && first.value !== second.value) {
    report('invalid_value', second.where, 'The segment is given twice with different values.', { value: second.value })
  }
  return first
}

function readCompare(field: unknown, filter: unknown, report: IssueSink): Given<readonly string[]> | undefined {
  const given = [
    { value: readNames(field, 'spec.compare', report), where: 'spec.compare' },
    { value: readNames(filter, `spec.filters.${COMPARE_FILTER}`, report), where: `spec.filters.${COMPARE_FILTER}` },
  ].filter(({ value }) => value.length > 0)
  const [first, second] = given
  if (first !== undefined && second !== undefined && JSON.stringify(first.value) !== JSON.stringify(second.value)) {
    report('invalid_value', second.where, 'The segments to compare are given twice with different values.', {
      value: second.value,
    })
  }
  return first
}

function readFilters(raw: unknown, report: IssueSink): readonly (readonly [string, unknown])[] {
  if (isAbsent(raw)) return []
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return Object.entries(raw)
  report('validation_failed', 'spec.filters', '"filters" is an object of key and value.', { value: raw })
  return []
}

function readTimeRange(raw: unknown, report: IssueSink): RawSpec['time_range'] {
  if (isAbsent(raw)) return undefined
  const days = Array.isArray(raw) && raw.length === 2 ? raw.map(parseDay) : []
  const [start, end] = days
  if (start !== undefined && end !== undefined) return { value: [start, end], where: 'spec.time_range' }
  const code = Array.isArray(raw) && raw.length === 2 ? 'invalid_value' : 'validation_failed'
  report(code, 'spec.time_range', '"time_range" is a list of two dates YYYY-MM-DD.', { value: raw })
  return undefined
}
