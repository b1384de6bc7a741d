import { countPeriods, dayAfter, dayOf, dayStart, type Interval, type Period, periodsBetween } from '../core/periods.ts'

/** A state just before `before` (D3, D4): the exclusive end of the day asked for, or the second after now. */
export interface PointTime {
  readonly kind: 'point'
  readonly day: string
  readonly before: Date
}

/** Instants [from, to) of a range of days; `to` is at most the second after now. An empty range has from = to (D3). */
export interface RangeTime {
  readonly kind: 'range'
  readonly start: string
  readonly end: string
  readonly from: Date
  readonly to: Date
  readonly interval: Interval | undefined
  /** The periods of `interval` that the range touches, clipped to it; empty without an interval. */
  readonly periods: readonly Period[]
}

export type Timeframe = PointTime | RangeTime

// D2: now is a whole second, so what holds at now is what holds just before the next one.
function afterNow(now: Date): Date {
  return new Date(now.getTime() + 1000)
}

/** The state at the end of `day`, or now while that day has not ended (D3). */
export function pointAt(day: string, now: Date): PointTime {
  return { kind: 'point', day, before: earlier(dayAfter(day), afterNow(now)) }
}

/** The days `start` to `end`, both included, up to now (D3, D5). A range that begins after today is empty. */
export function rangeOf(start: string, end: string, interval: Interval | undefined, now: Date): RangeTime {
  const { from, to } = instantsOf(start, end, now)
  const periods = interval === undefined ? [] : periodsBetween(from, to, interval)
  return { kind: 'range', start, end, from, to, interval, periods }
}

/** How many periods `rangeOf` would make, without making any. */
export function periodsOf(start: string, end: string, interval: Interval, now: Date): number {
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
