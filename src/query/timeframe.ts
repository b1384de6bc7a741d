import {
  BEGINNING,
  countPeriods,
  dayAfter,
  dayBefore,
  dayOf,
  dayStart,
  type Interval,
  lastClosedMonth,
  monthName,
  nextPeriod,
  type Period,
  periodsBetween,
} from '../core/periods.ts'
import { beyondHorizon, DAYS_END_TODAY, horizonOf, ONLY_FORECAST } from './forecast.ts'
import type { QueryInputs } from './inputs.ts'
import { type IssueSink, mustBe } from './issues.ts'
import { readNamedRange } from './ranges.ts'
import { agreed, type Given, type RawParameters } from './raw-parameters.ts'
import type { RawSpec } from './spec.ts'

/** The state just before `before` (D3, D4), which is the exclusive end of the requested day, or the second after now. */
export interface PointTime {
  readonly kind: 'point'
  readonly day: string
  readonly before: Date
}

/** Instants [from, to) of a range of days. `to` is at most the second after now. An empty range has from = to (D3). */
export interface RangeTime {
  readonly kind: 'range'
  readonly start: string
  readonly end: string
  readonly from: Date
  readonly to: Date
  readonly interval: Interval | undefined
  /** Periods of length `interval` in the range, clipped to it; empty without an interval. */
  readonly periods: readonly Period[]
}

export type Timeframe = PointTime | RangeTime

// D2: now is a whole second, so the state at now is the state just before the next second.
function afterNow(now: Date): Date {
  return new Date(now.getTime() + 1000)
}

/** The state at the end of `day`, or now if that day has not ended (D3). In a forecast, `now` is the last instant that it knows (D80). */
export function pointAt(day: string, now: Date): PointTime {
  return { kind: 'point', day, before: earlier(dayAfter(day), afterNow(now)) }
}

/** True if the time reaches beyond now, as only a forecast does. */
export function isAhead(time: Timeframe, now: Date): boolean {
  return isAfterNow(time.kind === 'point' ? time.before : time.to, now)
}

/** True if what lies just before the instant lies after now. */
export function isAfterNow(before: Date, now: Date): boolean {
  return before > afterNow(now)
}

/** The last instant that counts just before an instant: now, or what a forecast knows if the instant lies after now (D80). */
export function untilBefore(before: Date, now: Date): Date {
  return isAfterNow(before, now) ? horizonOf(now) : now
}

/** The days from `start` to `end`, inclusive, up to now (D3, D5). A range that begins after today is empty. */
export function rangeOf(start: string, end: string, interval: Interval | undefined, now: Date): RangeTime {
  const { from, to } = instantsOf(start, end, now)
  const periods = interval === undefined ? [] : periodsBetween(from, to, interval)
  return { kind: 'range', start, end, from, to, interval, periods }
}

/** The time of a request at another instant of the same day. */
export function timeAt(time: Timeframe, now: Date): Timeframe {
  return time.kind === 'point' ? pointAt(time.day, now) : rangeOf(time.start, time.end, time.interval, now)
}

/** Number of periods that `rangeOf` would return. */
function periodsOf(start: string, end: string, interval: Interval, now: Date): number {
  const { from, to } = instantsOf(start, end, now)
  return countPeriods(from, to, interval)
}

function instantsOf(start: string, end: string, now: Date): { readonly from: Date; readonly to: Date } {
  const limit = afterNow(now)
  if (start > dayOf(now)) return { from: limit, to: limit }
  return { from: dayStart(start), to: earlier(dayAfter(end), limit) }
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

const PERIOD_LIMIT = 12_000

/** A sentence about a range with too many periods. Undefined if it has few enough. */
export function tooManyPeriods(count: number): string | undefined {
  return count > PERIOD_LIMIT ? `The range has ${count} periods; the limit is ${PERIOD_LIMIT}.` : undefined
}

/** Time of the answer, and for `range_and_at` also the day `at`. */
export interface ResolvedTime {
  readonly time: Timeframe
  readonly at: string | undefined
  /** True if a date after today was replaced by now (D3). */
  readonly isClamped: boolean
  /** Last instant that a forecast of these dates knows. Undefined: now. */
  readonly until: Date | undefined
}

/** Dates and periods of the request (http-api.md 1.2); undefined if an issue was reported. */
export function resolveTime(
  params: RawParameters,
  written: RawSpec,
  inputs: QueryInputs,
  now: Date,
  report: IssueSink,
): ResolvedTime | undefined {
  const granularity = agreed([params.granularity, written.granularity], 'invalid_interval', report)
  const step = resolveStep(params.interval, granularity, inputs, report)
  if (inputs.dates === 'month') return ofMonth(params, written, now, report)
  // The last instant that counts: dates after it are answered as of it (D3), or refused in a forecast (D80).
  const isForecast = params.forecast?.value === true
  const endsToday = inputs.dates === 'day_or_range'
  const ahead = isForecast && !endsToday ? horizonOf(now) : undefined
  const until = ahead ?? now
  const spec = withNamedRange(params, written, now, report, ahead ?? (isForecast ? DAYS_END_TODAY : ONLY_FORECAST))
  const start = merge(params.start, spec.time_range, 0, report)
  const end = merge(params.end, spec.time_range, 1, report)
  if (endsToday) return dayOrRange(params, spec, { start, end }, now, report)
  const hasStart = namesDay('start', params, spec)
  const hasEnd = namesDay('end', params, spec)
  const isRange = inputs.dates !== 'point_or_range' || hasStart || hasEnd
  const isOpen = inputs.dates === 'open_range'
  if (!isOpen && (isRange || (granularity !== undefined && inputs.step === 'interval'))) {
    const missing = [...(hasStart ? [] : ['start']), ...(hasEnd ? [] : ['end'])]
    for (const name of missing) {
      report('invalid_range', `params.${name}`, `"${missing.join('" and "')}" ${missing.length > 1 ? 'are' : 'is'} missing.`, {
        context: { missing },
      })
    }
  }
  const isEither = inputs.dates === 'point_or_range' || inputs.dates === 'series'
  if (isRange && isEither && params.given.has('at')) {
    report('invalid_range', 'params.at', '"at" asks for one day, "start" and "end" for a range: give one or the other.')
  }
  if (ahead !== undefined) for (const given of [end, params.at]) reportBeyond(given, ahead, report)
  if (!isRange) return atPoint(params, now, ahead)
  const first = isOpen && !hasStart ? { value: dayOf(BEGINNING), where: 'params.start' } : start
  const last = isOpen && !hasEnd ? { value: later(dayOf(now), first?.value), where: 'params.end' } : end
  if (first === undefined || last === undefined) return undefined
  if (first.value > last.value) {
    reportOrder(first, last.value, report)
    return undefined
  }
  const count = step === undefined ? 0 : periodsOf(first.value, last.value, step, until)
  const refused = tooManyPeriods(count)
  if (refused !== undefined) report('invalid_range', first.where, refused, { context: { limit: PERIOD_LIMIT } })
  // After a refused range, the check goes on without periods, so that other issues are reported too.
  const time = rangeOf(first.value, last.value, refused === undefined ? step : undefined, until)
  const days = [first.value, last.value, ...(inputs.dates === 'range_and_at' && params.at !== undefined ? [params.at.value] : [])]
  return { time, at: params.at?.value, isClamped: days.some((day) => day > dayOf(until)), until: ahead }
}

/** True if the request has the day, valid or not, or a range that contains it. */
export function namesDay(name: 'start' | 'end', { given }: RawParameters, spec: Pick<RawSpec, 'time_range'>): boolean {
  return given.has(name) || given.has('range') || spec.time_range !== undefined
}

// Treats a named range like a time_range of the spec.
function withNamedRange(params: RawParameters, spec: RawSpec, now: Date, report: IssueSink, until: Date | string): RawSpec {
  const hasDays = params.given.has('start') || params.given.has('end') || spec.time_range !== undefined
  const named = readNamedRange(params.range, hasDays, now, report, until)
  return hasDays || named === undefined ? spec : { ...spec, time_range: named }
}

// A range that begins after today is empty, not invalid (D3).
function later(today: string, start: string | undefined): string {
  return start !== undefined && start > today ? start : today
}

function reportBeyond(given: Given<string> | undefined, until: Date, report: IssueSink): void {
  const limit = dayOf(until)
  if (given === undefined || given.value <= limit) return
  report('invalid_range', given.where, beyondHorizon(until), { value: given.value, context: { limit } })
}

const OTHER_DAYS = ['start', 'end', 'range', 'at'] as const

// The month that `period` names, by default the last one that has been over for a day. Other days are refused: without effect, they would
// look answered.
function ofMonth({ period, given }: RawParameters, spec: RawSpec, now: Date, report: IssueSink): ResolvedTime | undefined {
  const newest = lastClosedMonth(dayOf(now))
  const others = OTHER_DAYS.filter((name) => given.has(name)).map((name) => `params.${name}`)
  for (const where of [...others, ...(spec.time_range === undefined ? [] : [spec.time_range.where])])
    report('invalid_range', where, 'This query is about one month: name it in "period".')
  const start = period?.value ?? newest
  const wanted = `a month that has been over for a day, from ${monthName(dayOf(BEGINNING))} to ${monthName(newest)}`
  if (period !== undefined && (start > newest || start < dayOf(BEGINNING))) {
    report('invalid_range', period.where, mustBe('period', wanted, monthName(start)), { value: monthName(start) })
    return undefined
  }
  const end = dayBefore(nextPeriod(dayStart(start), 'month'))
  return { time: rangeOf(start, end, undefined, now), at: undefined, isClamped: false, until: undefined }
}

// `at` and `end` mean the same day here. Without a start there is no range.
function dayOrRange(
  params: RawParameters,
  spec: RawSpec,
  { start, end }: { readonly start: Given<string> | undefined; readonly end: Given<string> | undefined },
  now: Date,
  report: IssueSink,
): ResolvedTime | undefined {
  const hasAt = params.given.has('at')
  const hasEnd = namesDay('end', params, spec)
  if (hasAt && hasEnd) report('invalid_range', 'params.at', '"at" and "end" mean the same here: give one of them.')
  if (params.given.has('start') && !hasAt && !hasEnd) {
    report('invalid_range', 'params.end', '"end" is missing.', { context: { missing: ['end'] } })
  }
  const day = (end ?? params.at)?.value ?? dayOf(now)
  const isClamped = day > dayOf(now)
  if (start === undefined) return { time: pointAt(day, now), at: undefined, isClamped, until: undefined }
  if (start.value > day && (end ?? params.at) !== undefined) reportOrder(start, day, report)
  return { time: rangeOf(start.value, day, undefined, now), at: undefined, isClamped, until: undefined }
}

/** Reports a range that ends before it starts. */
export function reportOrder(start: Given<string>, end: string, report: IssueSink): void {
  const message = `The range ends on ${end}, before it starts on ${start.value}.`
  report('invalid_range', start.where, message, { value: start.value })
}

function atPoint(params: RawParameters, now: Date, ahead: Date | undefined): ResolvedTime {
  const day = params.at?.value ?? dayOf(now)
  const until = ahead ?? now
  return { time: pointAt(day, until), at: day, isClamped: day > dayOf(until), until: ahead }
}

function resolveStep(
  interval: Given<Interval> | undefined,
  granularity: Given<Interval> | undefined,
  inputs: QueryInputs,
  report: IssueSink,
): Interval | undefined {
  if (inputs.step === 'none' && granularity !== undefined) {
    report('invalid_interval', granularity.where, 'This query has no periods.', {
      value: granularity.value,
      context: { available: [] },
    })
  }
  if (inputs.step === 'granularity') return granularity?.value
  if (inputs.step === 'none') return undefined
  return agreed([interval, granularity], 'invalid_interval', report)?.value ?? 'month'
}

function merge(
  param: Given<string> | undefined,
  range: Given<readonly [string, string]> | undefined,
  index: 0 | 1,
  report: IssueSink,
): Given<string> | undefined {
  return agreed([param, range && { value: range.value[index], where: range.where }], 'invalid_range', report)
}
