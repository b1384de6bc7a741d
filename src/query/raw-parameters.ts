import { INTERVALS, type Interval } from '../core/periods.ts'
import type { IssueSink } from './issues.ts'
import { type ParameterName, SINGLE_PARAMETERS, STAGED_PARAMETERS } from './parameters.ts'
import { parseDay, parseValue } from './values.ts'

export type Raw = Readonly<Record<string, unknown>>

/** A value with the place it was given at. */
export interface Given<T> {
  readonly value: T
  readonly where: string
}

/** Parameters after their form was checked, each by itself. What was malformed is reported, and listed in `given` all the same. */
export interface RawParameters {
  readonly at?: Given<string>
  readonly start?: Given<string>
  readonly end?: Given<string>
  readonly interval?: Given<Interval>
  readonly granularity?: Given<Interval>
  readonly type?: Given<string>
  readonly per_segment?: Given<boolean>
  /** Names given with a value, well-formed or not. */
  readonly given: ReadonlySet<string>
}

/** True for what counts as not given: absent, null, empty text, an empty list. */
export function isAbsent(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === '' || (Array.isArray(raw) && raw.every(isAbsent))
}

/**
 * Reads `params`: unknown names, staged names, repeated values and malformed values are reported (http-api.md 1.1, 1.5). `offered` is
 * what an unknown name is told of.
 */
export function readParameters(params: Raw, offered: readonly ParameterName[], report: IssueSink): RawParameters {
  const given = new Set<string>()
  for (const [name, raw] of Object.entries(params)) {
    if (isAbsent(raw)) continue
    const where = `params.${name}`
    given.add(name)
    if (STAGED_PARAMETERS.includes(name))
      report('invalid_value', where, `"${name}" is not available in this version.`, { value: raw })
    else if (!SINGLE_PARAMETERS.some((known) => known === name)) {
      const known = [...offered].sort()
      report('invalid_value', where, `Unknown parameter "${name}".`, {
        value: raw,
        word: name,
        known,
        context: { available: known },
      })
    }
  }
  const day = (name: string) => readDay(name, params, report)
  const step = (name: string) => readInterval(single(params[name], `params.${name}`, report), `params.${name}`, report)
  const perSegment = single(params['per_segment'], 'params.per_segment', report)
  const per_segment = parseValue(perSegment, 'boolean', false)
  if (perSegment !== undefined && per_segment === undefined) {
    report('invalid_value', 'params.per_segment', '"per_segment" is true or false.', { value: perSegment })
  }
  const type = single(params['type'], 'params.type', report)
  if (type !== undefined && typeof type !== 'string') report('invalid_value', 'params.type', '"type" is text.', { value: type })
  const format = single(params['format'], 'params.format', report)
  if (format !== undefined && format !== 'json' && format !== 'csv') {
    report('invalid_value', 'params.format', 'The format is json or csv.', {
      value: format,
      context: { available: ['json', 'csv'] },
    })
  }
  return Object.freeze({
    given,
    ...present('at', day('at')),
    ...present('start', day('start')),
    ...present('end', day('end')),
    ...present('interval', step('interval')),
    ...present('granularity', step('granularity')),
    ...present('per_segment', typeof per_segment === 'boolean' ? { value: per_segment, where: 'params.per_segment' } : undefined),
    ...present('type', typeof type === 'string' ? { value: type, where: 'params.type' } : undefined),
  })
}

/** The one value of a single-valued parameter; several different ones are reported. */
export function single(raw: unknown, where: string, report: IssueSink): unknown {
  if (isAbsent(raw)) return undefined
  if (!Array.isArray(raw)) return raw
  const distinct = [...new Set(raw.filter((item) => !isAbsent(item)))]
  if (distinct.length > 1) report('invalid_value', where, 'This takes one value and was given several.', { value: distinct })
  return distinct[0]
}

/** A period length, or undefined after `invalid_interval` was reported. */
export function readInterval(raw: unknown, where: string, report: IssueSink): Given<Interval> | undefined {
  if (raw === undefined) return undefined
  const value = INTERVALS.find((interval) => interval === raw)
  if (value !== undefined) return { value, where }
  report('invalid_interval', where, `A period is ${INTERVALS.join(', ')}.`, {
    value: raw,
    known: INTERVALS,
    context: { available: INTERVALS },
  })
  return undefined
}

function readDay(name: string, params: Raw, report: IssueSink): Given<string> | undefined {
  const where = `params.${name}`
  const raw = single(params[name], where, report)
  if (raw === undefined) return undefined
  const value = parseDay(raw)
  if (value !== undefined) return { value, where }
  report('invalid_value', where, `"${name}" is a date YYYY-MM-DD.`, { value: raw })
  return undefined
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })
}
