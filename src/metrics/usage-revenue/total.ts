import { rangeTime } from '../../query/request.ts'
import type { MetricContext, MetricResult } from '../define-metric.ts'
import { periodResult } from '../period-rows.ts'
import { periodNames } from '../start-scope.ts'
import { readRevenue } from './read.ts'

/** Usage revenue of the range, or of each of its periods (D59). */
export async function answerTotal(context: MetricContext): Promise<MetricResult> {
  const names = periodNames(rangeTime(context.request))
  const groups = (await readRevenue(context, context.request.dimensions)).map(({ values, periods }) => ({
    values,
    measures: periods.map((revenue) => ({ revenue })),
  }))
  return periodResult(context, names, { scalar: 'revenue', measures: ['revenue'], nothing: { revenue: 0 } }, groups)
}
