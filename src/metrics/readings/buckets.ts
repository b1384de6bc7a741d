import { InternalError } from '../../core/errors.ts'
import { dayOf, dayStart, type Interval, periodStart } from '../../core/periods.ts'
import type { RangeTime } from '../../query/timeframe.ts'

/** Width of the buckets that SQL groups by; TypeScript joins them to periods. */
export function bucketStep(interval: Interval | undefined): string {
  if (interval === undefined) return 'none'
  return interval === 'day' || interval === 'week' ? 'day' : 'month'
}

/** Bucket of everything before the range; no day or month of a range can be it. */
export const OPENING_BUCKET = '1000-01-01'

/** Index of the boundary at the end of the period that a bucket lies in; 0 for what lies before the range. */
export function bucketSlots(time: RangeTime): (bucket: string) => number {
  const { interval } = time
  if (interval === undefined) return (bucket) => (bucket === OPENING_BUCKET ? 0 : 1)
  const slots = new Map(time.periods.map((period, index) => [period.period, index + 1]))
  return (bucket) => {
    if (bucket === OPENING_BUCKET) return 0
    const slot = slots.get(dayOf(periodStart(dayStart(bucket), interval)))
    if (slot === undefined) throw new InternalError(`bucket ${bucket} lies outside the range`)
    return slot
  }
}
