import { type Period, periodsBetween } from '../core/periods.ts'
import type { RangeTime } from '../query/timeframe.ts'

/** The calendar months that a range touches, each clipped to it; none when the range has not begun. */
export function cohortMonths({ from, to }: RangeTime): readonly Period[] {
  return periodsBetween(from, to, 'month')
}
