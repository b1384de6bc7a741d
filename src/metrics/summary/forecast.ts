import { value } from '../../compiler/fragment.ts'
import type { Row } from '../../ports/rows.ts'
import { horizonOf } from '../../query/forecast.ts'
import { forecastWarning } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import type { PointTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { levelFact, windowOf } from '../readings/facts.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents } from '../readings/groups.ts'
import type { ForecastFigures } from './answers.ts'

/** The rows of sql/metrics/summary/forecast.sql about the end of `as_of`. */
export async function readForecast(context: MetricContext, { before }: PointTime): Promise<readonly Row[]> {
  context.warn(forecastWarning(context.now))
  const until = horizonOf(context.now)
  const time = { from: before, to: until }
  const scope = compileScope(
    context.request.dimensions,
    context.request.conditions,
    levelFact(context, value(before, 'timestamp')),
  )
  const rows = await context.run({
    template: 'summary/forecast',
    slots: scope.slots,
    params: { before },
    window: windowOf(scope, time),
    until,
  })
  await refuseRowGaps(context, rows, time, until)
  return rows
}

/** The figures of these rows, over all currencies. */
export function forecastOf(rows: readonly Row[]): ForecastFigures {
  const sum = (column: string) => rows.reduce((total, row) => addCents(total, row, column), 0)
  return { mrr_in_trial: sum('trial_sum'), mrr_scheduled_to_cancel: sum('ending_sum') }
}
