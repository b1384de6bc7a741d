import { sql } from '../../compiler/fragment.ts'
import { BEGINNING, dayOf } from '../../core/periods.ts'
import { type DimensionValue, dayCell, dimensionValue, integerCell } from '../../query/cells.ts'
import { readsSpans } from '../../query/dimensions/span-facts.ts'
import type { FactContext, Field } from '../../query/field.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext } from '../define-metric.ts'
import { factOf } from '../fact.ts'
import { bucketSlots, bucketStep } from '../mrr/buckets.ts'
import { ratioPeriods, settleRowGaps } from '../start-scope.ts'

/** Usage revenue of one group, in cents, by period. */
export interface RevenueGroup {
  readonly values: readonly DimensionValue[]
  readonly periods: number[]
}

/** Usage revenue of the range by group and period (D59); without an interval one period. `dimensions` are those grouped by. */
export async function readRevenue(context: MetricContext, dimensions: readonly Field[]): Promise<readonly RevenueGroup[]> {
  const time = rangeTime(context.request)
  const { conditions, unit } = context.request
  const periods = ratioPeriods(time)
  const groups = new Map<string, RevenueGroup>()
  const groupOf = (values: readonly DimensionValue[]) => {
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, periods: periods.map(() => 0) }
    groups.set(key, group)
    return group
  }
  if (periods.length === 0) return [...groups.values()]
  const rows = await context.run({
    template: readsSpans(fieldsOf({ dimensions, conditions })) ? 'usage_revenue/total_by_plan' : 'usage_revenue/total',
    slots: compileScope(dimensions, conditions, chargeFact(context)).slots,
    params: {
      start: time.from,
      end: time.to,
      step: bucketStep(time.interval),
      base_currency: context.definitions.base_currency,
    },
    window: { from: BEGINNING, to: pointAt(dayOf(context.now), context.now).before },
  })
  await settleRowGaps(context, rows, time)
  const slotOf = bucketSlots(time)
  for (const row of rows) {
    const sums = groupOf(dimensions.map((field) => dimensionValue(row, field))).periods
    const index = slotOf(dayCell(row, 'bucket')) - 1
    sums[index] = (sums[index] ?? 0) + integerCell(row, unit === 'base' ? 'revenue_base_sum' : 'revenue_sum')
  }
  return [...groups.values()]
}

/** Usage charges: what can change is looked at at 00:00 of the charge's day (D61). */
function chargeFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.charge_date`,
    isBefore: sql`1 = 0`,
  })
}
