import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext, MetricResult } from '../define-metric.ts'
import { type KeyedRow, rowsResult } from '../rows.ts'
import { periodNames } from '../start-scope.ts'
import { readRevenue } from './read.ts'

const WHO = CUSTOMER_DIMENSIONS.filter(({ key }) => key === 'customer_id' || key === 'customer_name')

/** Usage revenue of each customer that has any, the largest of each period first (I15). */
export async function answerByCustomer(context: MetricContext): Promise<MetricResult> {
  const names = periodNames(rangeTime(context.request))
  const groups = await readRevenue(context, [...WHO, ...context.request.dimensions])
  const rows = groups.flatMap(({ values: [customer_id = null, customer_name = null, ...values], periods }) =>
    periods.flatMap((revenue, index): readonly KeyedRow[] => {
      if (revenue === 0) return []
      const period = names === undefined ? {} : { period: names[index] ?? null }
      return [
        {
          order: [...Object.values(period), -revenue, customer_id],
          keys: { ...period, customer_id, customer_name },
          values,
          measures: { revenue },
        },
      ]
    }),
  )
  const keys = [...(names === undefined ? [] : ['period']), 'customer_id', 'customer_name']
  return rowsResult(context, { keys, measures: ['revenue'] }, rows)
}
