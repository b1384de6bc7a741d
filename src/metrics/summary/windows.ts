import { dayAfter, dayOf, dayStart, periodStart } from '../../core/periods.ts'
import { type PointTime, pointAt, type RangeTime, rangeOf, type Timeframe } from '../../query/timeframe.ts'

/** Days, both included, as the answer states them. */
export type DayRange = Readonly<Record<'start' | 'end', string>>

/** What the figures of a summary refer to (http-api.md 3.1). */
export interface SummaryWindows {
  /** The day of the levels, at most today. */
  readonly as_of: PointTime
  /** The last full calendar month by then, or the range asked for. */
  readonly rate: RangeTime
  /** The 365 days up to then, or the range asked for. */
  readonly trailing: RangeTime
}

const TRAILING_DAYS = 365
const DAY_MS = 86_400_000

/** Windows of a summary at the end of a day; of a range both are that range. Days after today count as today. */
export function windowsOf(time: Timeframe, now: Date): SummaryWindows {
  const day = time.kind === 'point' ? time.day : time.end
  const end = day < dayOf(now) ? day : dayOf(now)
  const as_of = pointAt(end, now)
  if (time.kind === 'range') {
    const asked = rangeOf(time.start, time.start > end ? day : end, undefined, now)
    return { as_of, rate: asked, trailing: asked }
  }
  const month = lastFullMonth(end)
  const first = dayOf(new Date(dayStart(end).getTime() - (TRAILING_DAYS - 1) * DAY_MS))
  return {
    as_of,
    rate: rangeOf(month.start, month.end, undefined, now),
    trailing: rangeOf(first, end, undefined, now),
  }
}

/** The window as days. */
export function daysOf({ start, end }: RangeTime): DayRange {
  return { start, end }
}

function lastFullMonth(day: string): DayRange {
  const next = periodStart(dayAfter(day), 'month')
  const last = new Date(next.getTime() - DAY_MS)
  return { start: dayOf(periodStart(last, 'month')), end: dayOf(last) }
}
