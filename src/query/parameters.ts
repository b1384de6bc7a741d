import * as z from 'zod'
import { INTERVALS } from '../core/periods.ts'
import { parseDay } from './values.ts'

/** A parameter of the HTTP query string, the command line and the body, defined once. */
export interface ParameterDefinition {
  readonly name: string
  readonly schema: z.ZodType
  /** May be given several times. */
  readonly isRepeatable: boolean
  readonly description: string
}

function day(description: string): z.ZodType {
  return z
    .string()
    .refine((text) => parseDay(text) !== undefined, 'a date YYYY-MM-DD')
    .describe(description)
    .meta({ format: 'date', description, example: '2025-05-31' })
}

function parameter(name: string, schema: z.ZodType, description: string, isRepeatable = false): ParameterDefinition {
  return Object.freeze({ name, schema: schema.describe(description), description, isRepeatable })
}

const interval = z.enum(INTERVALS)

/** The common parameters of metric endpoints that exist today (http-api.md 1.5). */
export const PARAMETERS = {
  at: parameter('at', day('Day'), 'State at the end of this day (UTC), or now when it is today. Default today.'),
  start: parameter('start', day('Day'), 'First day of the range (UTC), included.'),
  end: parameter('end', day('Day'), 'Last day of the range (UTC), included.'),
  interval: parameter('interval', interval, 'Length of a period: day, week (ISO), month, quarter or year. Default month.'),
  granularity: parameter('granularity', interval, 'One row per period of this length; the same as interval where that applies.'),
  dimensions: parameter('dimensions', z.string(), 'Names to group by; repeatable or separated by commas.', true),
  filter: parameter(
    'filter',
    z.string(),
    'key=value. The same key again means any of the values; different keys must all hold.',
    true,
  ),
  segment: parameter('segment', z.string(), 'Id of a segment: only its customers count.'),
  compare_segments: parameter('compare_segments', z.string(), 'Ids of up to 10 segments to compare; repeatable.', true),
  per_segment: parameter(
    'per_segment',
    z.enum(['true', 'false']),
    'true with compare_segments: one matrix for each segment instead of one for all of them.',
  ),
  query_type: parameter('query_type', z.string(), 'Which figure of the metric to answer.'),
  type: parameter('type', z.string(), 'Variant of the figure, where the endpoint has some.'),
  format: parameter('format', z.enum(['json', 'csv']), 'Format of the body; wins over the Accept header.'),
} as const satisfies Record<string, ParameterDefinition>

export type ParameterName = keyof typeof PARAMETERS

/** Single-valued parameters, the ones that may stand in `params`. */
export const SINGLE_PARAMETERS: readonly ParameterName[] = [
  'at',
  'start',
  'end',
  'interval',
  'granularity',
  'per_segment',
  'query_type',
  'type',
  'format',
]

/** Parameters of later stages: known by name, refused until then, never ignored. */
export const STAGED_PARAMETERS: readonly string[] = [
  'explain',
  'forecast',
  'definitions',
  'grain',
  'pause',
  'fx',
  'nrr_reactivation',
  'refunds',
  'tax',
  'lifetime',
  'swap_window',
  'reactivation_window',
  'time_zone',
  'known_at',
]
