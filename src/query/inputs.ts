import { BEGINNING, dayOf, lastClosedMonth, monthName } from '../core/periods.ts'
import type { Field } from './field.ts'
import { MONTH, type ParameterType } from './parameter-types.ts'
import type { ParameterName } from './parameters.ts'

/** The inputs that a query accepts. The metric's definition declares them; parsing, discovery and the facades read them. */
export interface QueryInputs {
  /**
   * `point_or_range` is S, `range` is R of http-api.md section 3; `series` is S without the point; `range_and_at` also takes
   * `at`. In an `open_range`, start and end are optional. By default it begins with the first fact and ends today. `day_or_range`
   * is the state at the end of a day (`end` or `at`), or with `start` the range that ends on this day. `month` is the month that `period` names.
   */
  readonly dates: 'point_or_range' | 'series' | 'range' | 'range_and_at' | 'open_range' | 'day_or_range' | 'month'
  /** `interval`: a range always has periods. `granularity`: only if the request names one. */
  readonly step: 'interval' | 'granularity' | 'none'
  /** Fields to group and filter by. */
  readonly dimensions: readonly Field[]
  /** Further dimensions, only for answers with periods. */
  readonly series_dimensions: readonly Field[]
  /** Dimensions that are key columns of every row. They are accepted without effect. */
  readonly key_columns: readonly string[]
  /** False if the query refuses grouping and its dimensions are only filter keys. */
  readonly can_group: boolean
  /** Time fields to filter by. */
  readonly time_fields: readonly Field[]
  /** Filter keys that are not dimensions. */
  readonly filter_fields: readonly Field[]
  /**
   * Result of comparing segments: rows for each segment, one answer for the customers of any of them, or none because the query has no
   * customers (http-api.md 1.6).
   */
  readonly compare: 'rows' | 'union' | 'none'
  /** Reasons why fields are refused, each as the end of a sentence. */
  readonly reasons?: Readonly<Record<string, string>>
  /** Parameters that only some queries take. */
  readonly own_parameters: readonly ParameterName[]
}

/** Inputs with a range and nothing else, to spread into others. */
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

// Sorting and paging of lists. Answers with a row per period are neither sorted nor paged.
const OF_ROWS: readonly ParameterName[] = ['order', 'limit', 'offset', 'rest']

const OF_RANGES: readonly ParameterName[] = ['start', 'end', 'range']

const DAYS_OPTIONAL: readonly QueryInputs['dates'][] = ['point_or_range', 'day_or_range', 'open_range', 'month']

/** True if the query refuses a request without a range. */
export function needsRange({ dates }: QueryInputs): boolean {
  return !DAYS_OPTIONAL.includes(dates)
}

/**
 * The parameters that ask the query for days: the range, the state at the end of its last day, or the last month that has been over for a day
 * then.
 */
export function paramsForDays(
  { dates }: Pick<QueryInputs, 'dates'>,
  { start, end }: AskedDays,
): Readonly<Record<string, string>> {
  if (dates === 'point_or_range') return { at: end }
  if (dates !== 'month') return { start, end }
  const [oldest, month] = [dayOf(BEGINNING), lastClosedMonth(end)]
  return { period: monthName(month < oldest ? oldest : month) }
}

interface AskedDays {
  readonly start: string
  readonly end: string
}

/** Parameters that the query uses. Other known parameters are checked for form and cause a warning. */
export function usedParameters(inputs: QueryInputs): readonly ParameterName[] {
  const dates = datesOf(inputs)
  const steps: readonly ParameterName[] =
    inputs.step === 'interval' ? ['interval', 'granularity'] : inputs.step === 'granularity' ? ['granularity'] : []
  const segments: readonly ParameterName[] = inputs.compare === 'none' ? [] : ['segment', 'compare_segments']
  // An overview is one row of figures.
  const rows = [...(inputs.dates === 'day_or_range' ? [] : OF_ROWS), 'compare_to' as const]
  return [
    ...new Set([
      ...dates,
      ...steps,
      ...segments,
      ...rows,
      ...inputs.own_parameters,
      'query_type',
      'format',
      'money',
      'definitions',
      'explain',
    ] as const),
  ]
}

function datesOf({ dates }: QueryInputs): readonly ParameterName[] {
  if (dates === 'month') return ['period']
  return DAYS_OF_RANGES.includes(dates) ? OF_RANGES : ['at', ...OF_RANGES]
}

/** Types of parameters that differ from those of other queries. */
export function typesOf({ dates }: QueryInputs): { readonly period?: ParameterType<string> } {
  return dates === 'month' ? { period: MONTH } : {}
}

/** Parameters as paths and messages list them: with `dimensions` if the query can group, and `query_type` if it chooses a query. */
export function acceptedParameters(inputs: QueryInputs): readonly ParameterName[] {
  const isAlwaysCut = inputs.step === 'interval' && inputs.dates !== 'point_or_range'
  const hidden = isAlwaysCut ? OF_ROWS.filter((name) => !inputs.own_parameters.includes(name)) : []
  const used = usedParameters(inputs).filter(
    (name) => ![...hidden, 'format', 'money', 'definitions', 'explain', 'query_type'].includes(name),
  )
  const choice: readonly ParameterName[] = inputs.own_parameters.includes('query_type') ? ['query_type'] : []
  const grouping: readonly ParameterName[] = groupableFields(inputs, true).length > 0 ? ['dimensions'] : []
  return [...used, ...choice, ...grouping, 'filter', 'format', 'money', 'definitions', 'explain']
}

/** Dimensions to group by, for a point or for a series. */
export function groupableFields(inputs: QueryInputs, isSeries: boolean): readonly Field[] {
  return inputs.can_group ? filterableDimensions(inputs, isSeries) : []
}

/** Fields to filter by. */
export function filterableFields(inputs: QueryInputs, isSeries: boolean): readonly Field[] {
  return [...filterableDimensions(inputs, isSeries), ...inputs.time_fields, ...inputs.filter_fields]
}

function filterableDimensions(inputs: QueryInputs, isSeries: boolean): readonly Field[] {
  return isSeries ? [...inputs.dimensions, ...inputs.series_dimensions] : inputs.dimensions
}
