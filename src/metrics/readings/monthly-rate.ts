import { dayOf, dayStart, nextPeriod, type Period } from '../../core/periods.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import { type Fraction, scaledToOne } from './fraction.ts'
import { knownMonths } from './periods.ts'

const DAY_MS = 86_400_000

/** The calendar months that lie fully in the range and have ended by now: what the mean is taken of (D50). */
export function fullMonths(time: RangeTime, now: Date): readonly Period[] {
  return knownMonths(time).filter((month) => {
    const start = dayStart(month.period)
    const end = nextPeriod(start, 'month')
    return month.from.getTime() === start.getTime() && month.to.getTime() === end.getTime() && end <= now
  })
}

/** The rate of a range without a full month, brought to a month of 365/12 days (D50). */
export function perMonth(rate: Fraction, { start, end }: RangeTime, now: Date): Fraction {
  const last = end < dayOf(now) ? end : dayOf(now)
  const days = Math.round((dayStart(last).getTime() - dayStart(start).getTime()) / DAY_MS) + 1
  return scaledToOne(rate, 365, 12 * Math.max(days, 1))
}
