import type { Interval } from '../core/periods.ts'
import type { IssueSink } from './issues.ts'
import { type Given, isAbsent, type Raw, readInterval, single } from './raw-parameters.ts'
import { parseDay } from './values.ts'

/** The spec after its shape was checked; names and values are judged against the query later. */
export interface RawSpec {
  readonly dimensions: readonly string[]
  /** Filter key and raw value, in the order given. */
  readonly filters: readonly (readonly [string, unknown])[]
  readonly granularity: Given<Interval> | undefined
  readonly time_range: Given<readonly [string, string]> | undefined
}

const FIELDS = ['dimensions', 'filters', 'granularity', 'segment', 'compare', 'time_range']
const SEGMENT_FILTERS = ['__segment_id__', '__compare_segment_ids__']

/** Reads `spec` (http-api.md 2); a wrong shape is `validation_failed`. Segments belong to a later stage and are refused. */
export function readSpec(spec: Raw, report: IssueSink): RawSpec {
  for (const [name, raw] of Object.entries(spec)) {
    if (isAbsent(raw)) continue
    if (!FIELDS.includes(name))
      report('validation_failed', `spec.${name}`, `Unknown field "${name}".`, { value: name, known: FIELDS })
    if (name === 'segment' || name === 'compare') refuseSegments(`spec.${name}`, raw, report)
  }
  const filters = readFilters(spec['filters'], report)
  for (const [key, raw] of filters) if (SEGMENT_FILTERS.includes(key)) refuseSegments(`spec.filters.${key}`, raw, report)
  return {
    dimensions: readNames(spec['dimensions'], report),
    filters: filters.filter(([key]) => !SEGMENT_FILTERS.includes(key)),
    granularity: readInterval(single(spec['granularity'], 'spec.granularity', report), 'spec.granularity', report),
    time_range: readTimeRange(spec['time_range'], report),
  }
}

function readNames(raw: unknown, report: IssueSink): readonly string[] {
  if (isAbsent(raw)) return []
  if (Array.isArray(raw) && raw.every((name) => typeof name === 'string')) return [...new Set(raw.filter((name) => name !== ''))]
  report('validation_failed', 'spec.dimensions', '"dimensions" is a list of names.', { value: raw })
  return []
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

function refuseSegments(where: string, raw: unknown, report: IssueSink): void {
  report('invalid_value', where, 'Segments are not available in this version.', { value: raw })
}
