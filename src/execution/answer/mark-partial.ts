import { dayOf, dayStart, type Interval, nextPeriod } from '../../core/periods.ts'
import { mapInSlices } from '../../core/slices.ts'
import { PARTIAL_COLUMN } from '../../metrics/columns.ts'
import type { MetricResult } from '../../metrics/define-metric.ts'
import type { Timeframe } from '../../query/timeframe.ts'

/**
 * Marks the rows of a series whose period is not over at `now` (D5). Every series has the column, so that tables keep their columns; only
 * marked rows have the key.
 */
export async function markPartial(result: MetricResult, time: Timeframe, now: Date): Promise<MetricResult> {
  if (result.kind !== 'rows' || !result.columns.includes('period')) return result
  const columns = [...result.columns, PARTIAL_COLUMN]
  const running = runningPeriods(time, now)
  if (running.size === 0) return { ...result, columns }
  const rows = await mapInSlices(result.rows, (row) =>
    running.has(String((row as Readonly<Record<string, unknown>>)['period'])) ? { ...row, [PARTIAL_COLUMN]: true } : row,
  )
  return { ...result, columns, rows }
}

function runningPeriods(time: Timeframe, now: Date): ReadonlySet<string> {
  if (time.kind === 'point' || time.interval === undefined) return new Set()
  const { interval, periods } = time
  return new Set(periods.flatMap(({ period }) => (isOver(period, interval, now) ? [] : [period])))
}

function isOver(period: string, interval: Interval, now: Date): boolean {
  return dayOf(nextPeriod(dayStart(period), interval)) <= dayOf(now)
}
