import { dayOf, dayStart, daysBefore, type Interval, nextPeriod } from '../../core/periods.ts'
import { mapInSlices } from '../../core/slices.ts'
import { FORECAST_COLUMN, PARTIAL_COLUMN } from '../../metrics/columns.ts'
import type { MetricResult } from '../../metrics/define-metric.ts'
import { isAfterNow, isAhead, type Timeframe } from '../../query/timeframe.ts'

/** A request that may ask for a forecast. */
interface Asked {
  readonly time: Timeframe
  /** Last instant that counts in a forecast. */
  readonly until: Date | undefined
}

/**
 * Marks the rows of a series whose period is not over at `now` (D5). In a forecast, rows whose period ends after now are marked as such
 * (D80). They are whole, so they are not partial. Every series has the columns, so that tables keep them; only marked rows have the keys. A
 * period is over `settling` days after its end.
 */
export async function markPeriods(result: MetricResult, { time, until }: Asked, now: Date, settling = 0): Promise<MetricResult> {
  if (result.kind !== 'rows' || !result.columns.includes('period')) return result
  const columns = [...result.columns, PARTIAL_COLUMN, ...(until === undefined ? [] : [FORECAST_COLUMN])]
  const marks = marksOf(time, now, settling)
  if (marks.size === 0) return { ...result, columns }
  const rows = await mapInSlices(result.rows, (row) => {
    const mark = marks.get(String((row as Readonly<Record<string, unknown>>)['period']))
    return mark === undefined ? row : { ...row, [mark]: true }
  })
  return { ...result, columns, rows }
}

/** Marks an answer without periods that counts what lies after now (D80). A scalar has no place for a mark. */
export async function markForecast(result: MetricResult, { time, until }: Asked, now: Date): Promise<MetricResult> {
  if (until === undefined || result.kind === 'scalar' || result.columns.includes('period')) return result
  const columns = [...result.columns, FORECAST_COLUMN]
  if (!isAhead(time, now)) return { ...result, columns }
  const mark = { [FORECAST_COLUMN]: true }
  if (result.kind === 'object') return { ...result, columns, value: { ...result.value, ...mark } }
  return { ...result, columns, rows: await mapInSlices(result.rows, (row) => ({ ...row, ...mark })) }
}

function marksOf(time: Timeframe, now: Date, settling: number): ReadonlyMap<string, string> {
  if (time.kind === 'point' || time.interval === undefined) return new Map()
  const { interval, periods } = time
  return new Map(
    periods.flatMap(({ period, to }) => {
      if (isAfterNow(to, now)) return [[period, FORECAST_COLUMN]]
      return isOver(period, interval, now, settling) ? [] : [[period, PARTIAL_COLUMN]]
    }),
  )
}

function isOver(period: string, interval: Interval, now: Date, settling: number): boolean {
  return dayOf(nextPeriod(dayStart(period), interval)) <= daysBefore(dayOf(now), settling)
}
