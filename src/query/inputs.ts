import type { Field } from './field.ts'
import type { ParameterName } from './parameters.ts'

/** What a query accepts; the metric's definition states it, parsing, discovery and the facades read it. */
export interface QueryInputs {
  /**
   * `point_or_range` is S, `range` is R of http-api.md section 3; `series` is S without the point; `range_and_at` also takes `at`.
   * `open_range` is a range without a missing end: all that came before, all up to today.
   * `day_or_range` is the state at the end of a day, `end` or `at`, or with `start` a range that ends there.
   */
  readonly dates: 'point_or_range' | 'series' | 'range' | 'range_and_at' | 'open_range' | 'day_or_range'
  /** `interval`: a range is always cut into periods. `granularity`: only when asked for. */
  readonly step: 'interval' | 'granularity' | 'none'
  /** Fields to group and filter by. */
  readonly dimensions: readonly Field[]
  /** Further ones that only the answer over periods offers. */
  readonly series_dimensions: readonly Field[]
  /** Dimensions that are key columns anyway: accepted, without effect. */
  readonly key_columns: readonly string[]
  /** False where grouping is refused and the dimensions serve as filter keys only. */
  readonly can_group: boolean
  /** Instants that narrow what is counted. */
  readonly time_fields: readonly Field[]
  /** Filter keys that are no dimensions. */
  readonly filter_fields: readonly Field[]
  /**
   * What comparing segments gives: rows for each, one answer for the customers of any of them, or nothing, as the query has no customers
   * (http-api.md 1.6).
   */
  readonly compare: 'rows' | 'union' | 'none'
  /** Why fields that people try are not offered, as the end of a sentence. */
  readonly reasons?: Readonly<Record<string, string>>
  /** Parameters of its own among the common ones. */
  readonly own_parameters: readonly ParameterName[]
}

/** An offer of a range and nothing else, to be spread into others. */
export const RANGE_INPUTS: QueryInputs = Object.freeze({
  dates: 'range',
  step: 'none',
  dimensions: [],
  series_dimensions: [],
  key_columns: [],
  can_group: false,
  time_fields: [],
  filter_fields: [],
  compare: 'none',
  own_parameters: [],
})

const DAYS_OF_RANGES: readonly QueryInputs['dates'][] = ['range', 'series', 'open_range']

// What is made of the rows of a list; with a row for each period there is nothing to order or to cut.
const OF_ROWS: readonly ParameterName[] = ['order', 'limit', 'offset', 'rest']

const OF_RANGES: readonly ParameterName[] = ['start', 'end', 'range']

/** Parameters that the query uses; the other known ones are checked for form and warned about. */
export function usedParameters(inputs: QueryInputs): readonly ParameterName[] {
  const dates: readonly ParameterName[] = DAYS_OF_RANGES.includes(inputs.dates) ? OF_RANGES : ['at', ...OF_RANGES]
  const steps: readonly ParameterName[] =
    inputs.step === 'interval' ? ['interval', 'granularity'] : inputs.step === 'granularity' ? ['granularity'] : []
  const segments: readonly ParameterName[] = inputs.compare === 'none' ? [] : ['segment', 'compare_segments']
  // An overview is a row of figures, and its windows are its own.
  const rows = inputs.dates === 'day_or_range' ? [] : [...OF_ROWS, 'compare_to' as const]
  return [
    ...new Set([...dates, ...steps, ...segments, ...rows, ...inputs.own_parameters, 'query_type', 'format', 'money'] as const),
  ]
}

/** The same as a path or a message lists them: grouping where there is any, and `query_type` only where it chooses something. */
export function acceptedParameters(inputs: QueryInputs): readonly ParameterName[] {
  const isAlwaysCut = inputs.step === 'interval' && inputs.dates !== 'point_or_range'
  const hidden = isAlwaysCut ? OF_ROWS.filter((name) => !inputs.own_parameters.includes(name)) : []
  const used = usedParameters(inputs).filter((name) => ![...hidden, 'format', 'money', 'query_type'].includes(name))
  const choice: readonly ParameterName[] = inputs.own_parameters.includes('query_type') ? ['query_type'] : []
  const grouping: readonly ParameterName[] = groupableFields(inputs, true).length > 0 ? ['dimensions'] : []
  return [...used, ...choice, ...grouping, 'filter', 'format', 'money']
}

/** Dimensions offered for a point or for a series. */
export function groupableFields(inputs: QueryInputs, isSeries: boolean): readonly Field[] {
  return inputs.can_group ? filterableDimensions(inputs, isSeries) : []
}

/** Fields that a filter may name. */
export function filterableFields(inputs: QueryInputs, isSeries: boolean): readonly Field[] {
  return [...filterableDimensions(inputs, isSeries), ...inputs.time_fields, ...inputs.filter_fields]
}

function filterableDimensions(inputs: QueryInputs, isSeries: boolean): readonly Field[] {
  return isSeries ? [...inputs.dimensions, ...inputs.series_dimensions] : inputs.dimensions
}
