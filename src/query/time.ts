import { dayOf, type Interval } from '../core/periods.ts'
import type { IssueSink } from './issues.ts'
import type { QueryOffer } from './offer.ts'
import type { Given, RawParameters } from './raw-parameters.ts'
import type { RawSpec } from './spec.ts'
import { pointAt, rangeOf, type Timeframe } from './timeframe.ts'

const PERIOD_LIMIT = 12_000

/** Moment of the answer, and for `range_and_at` also the instant beside the range. */
export interface ResolvedTime {
  readonly time: Timeframe
  readonly at: string | undefined
  /** A date after today was answered as of now (D3). */
  readonly isClamped: boolean
}

/** Dates and periods of the request (http-api.md 1.2); undefined after an issue was reported. */
export function resolveTime(
  params: RawParameters,
  spec: RawSpec,
  offer: QueryOffer,
  now: Date,
  report: IssueSink,
): ResolvedTime | undefined {
  const start = merge(params.start, spec.time_range, 0, report)
  const end = merge(params.end, spec.time_range, 1, report)
  const step = resolveStep(params.interval, mergeStep(params.granularity, spec.granularity, report), offer, report)
  const hasStart = params.given.has('start') || spec.time_range !== undefined
  const hasEnd = params.given.has('end') || spec.time_range !== undefined
  const isRange = offer.dates !== 'point_or_range' || hasStart || hasEnd
  const granularity = params.granularity ?? spec.granularity
  if (isRange || (granularity !== undefined && offer.step === 'interval')) {
    const missing = [...(hasStart ? [] : ['start']), ...(hasEnd ? [] : ['end'])]
    for (const name of missing) {
      report('invalid_range', `params.${name}`, `"${missing.join('" and "')}" ${missing.length > 1 ? 'are' : 'is'} missing.`, {
        context: { missing },
      })
    }
  }
  const isEither = offer.dates === 'point_or_range' || offer.dates === 'series'
  if (isRange && isEither && params.given.has('at')) {
    report('invalid_range', 'params.at', '"at" asks for one day, "start" and "end" for a range: give one or the other.')
  }
  if (!isRange) return atPoint(params, now)
  if (start === undefined || end === undefined) return undefined
  if (start.value > end.value) {
    report('invalid_range', start.where, `The range ends on ${end.value}, before it starts on ${start.value}.`, {
      value: start.value,
    })
    return undefined
  }
  const time = rangeOf(start.value, end.value, step, now)
  if (time.periods.length > PERIOD_LIMIT) {
    report('invalid_range', start.where, `The range has ${time.periods.length} periods; the limit is ${PERIOD_LIMIT}.`, {
      context: { limit: PERIOD_LIMIT },
    })
  }
  const days = [start.value, end.value, ...(offer.dates === 'range_and_at' && params.at !== undefined ? [params.at.value] : [])]
  return { time, at: params.at?.value, isClamped: days.some((day) => day > dayOf(now)) }
}

function atPoint(params: RawParameters, now: Date): ResolvedTime {
  const day = params.at?.value ?? dayOf(now)
  return { time: pointAt(day, now), at: day, isClamped: day > dayOf(now) }
}

function resolveStep(
  interval: Given<Interval> | undefined,
  granularity: Given<Interval> | undefined,
  offer: QueryOffer,
  report: IssueSink,
): Interval | undefined {
  if (offer.step === 'none' && granularity !== undefined) {
    report('invalid_interval', granularity.where, 'This query is not cut into periods.', {
      value: granularity.value,
      context: { available: [] },
    })
  }
  if (offer.step === 'granularity') return granularity?.value
  if (offer.step === 'none') return undefined
  if (interval !== undefined && granularity !== undefined && interval.value !== granularity.value) {
    report('invalid_interval', granularity.where, '"interval" and "granularity" mean the same here and differ.', {
      value: granularity.value,
    })
  }
  return interval?.value ?? granularity?.value ?? 'month'
}

function mergeStep(
  a: Given<Interval> | undefined,
  b: Given<Interval> | undefined,
  report: IssueSink,
): Given<Interval> | undefined {
  if (a !== undefined && b !== undefined && a.value !== b.value) {
    report('invalid_interval', b.where, '"granularity" is given twice with different values.', { value: b.value })
  }
  return a ?? b
}

function merge(
  param: Given<string> | undefined,
  range: Given<readonly [string, string]> | undefined,
  index: 0 | 1,
  report: IssueSink,
): Given<string> | undefined {
  if (range === undefined) return param
  const fromSpec = { value: range.value[index], where: range.where }
  if (param !== undefined && param.value !== fromSpec.value) {
    report('invalid_range', range.where, `"time_range" and "${index === 0 ? 'start' : 'end'}" differ.`, { value: range.value })
  }
  return param ?? fromSpec
}
