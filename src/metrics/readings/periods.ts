import type { InlineRelation } from '../../compiler/inline.ts'
import { InternalError } from '../../core/errors.ts'
import {
  BEGINNING,
  dayOf,
  dayStart,
  type Interval,
  nextPeriod,
  type Period,
  periodStart,
  periodsBetween,
} from '../../core/periods.ts'
import type { RangeTime, Timeframe } from '../../query/timeframe.ts'

/** The periods of a ratio: those of the request, or the whole range. */
export function ratioPeriods(time: RangeTime): readonly Period[] {
  return time.interval === undefined ? [{ period: time.start, from: time.from, to: time.to }] : time.periods
}

/** First days of the periods; undefined for a point and for a range without periods. */
export function periodNames(time: Timeframe): readonly string[] | undefined {
  return time.kind === 'point' || time.interval === undefined ? undefined : time.periods.map(({ period }) => period)
}

/** The calendar months that a range touches, each clipped to it; none if the range has not begun. */
export function cohortMonths({ from, to }: RangeTime): readonly Period[] {
  return periodsBetween(from, to, 'month')
}

/** The calendar months of a range from 1900 on. Earlier months have no facts, so queries that show no empty months skip them. */
export function knownMonths({ from, to }: Pick<RangeTime, 'from' | 'to'>): readonly Period[] {
  return periodsBetween(from < BEGINNING ? BEGINNING : from, to, 'month')
}

/** Relation `period`: one row per period, in order. */
export function periodRelation(periods: readonly Period[]): InlineRelation {
  return {
    name: 'period',
    columns: [
      { name: 'period_index', type: 'integer' },
      { name: 'month', type: 'date' },
      { name: 'starts_at', type: 'timestamp' },
      { name: 'ends_before', type: 'timestamp' },
    ],
    rows: periods.map(({ period, from, to }, index) => [index, period, from, to]),
  }
}

/** Relation `instant`: one row per instant of a level, in order. */
export function instantRelation(instants: readonly Date[]): InlineRelation {
  return {
    name: 'instant',
    columns: [
      { name: 'instant_index', type: 'integer' },
      { name: 'ends_before', type: 'timestamp' },
    ],
    rows: instants.map((instant, index) => [index, instant]),
  }
}

/** Parameters and window of a statement about the cohorts of these months. It reads the whole lives of their customers. */
export function cohortsOf(time: RangeTime, months: readonly Period[]) {
  const first_month = months[0]?.period ?? time.start
  const last_month = months.at(-1)?.period ?? time.end
  return { params: { first_month, last_month }, window: { from: BEGINNING, to: nextPeriod(dayStart(last_month), 'month') } }
}

/** Width of the buckets that SQL groups by. TypeScript joins them into periods. */
export function bucketStep(interval: Interval | undefined): string {
  if (interval === undefined) return 'none'
  return interval === 'day' || interval === 'week' ? 'day' : 'month'
}

/** Bucket of everything before the range. No day or month of a range has this value. */
export const OPENING_BUCKET = '1000-01-01'

/** Index of the end of the period that contains a bucket; 0 before the range. */
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
