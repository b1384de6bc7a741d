import { ratio } from '../../core/money.ts'
import type { Period } from '../../core/periods.ts'
import { mapInSlices } from '../../core/slices.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext } from '../readings/context.ts'
import { windowOf } from '../readings/facts.ts'
import { periodRelation, ratioPeriods } from '../readings/periods.ts'
import { settleRowGaps } from '../readings/row-gaps.ts'
import { startScope } from '../readings/start-scope.ts'
import { gatherChurn, isEventField } from './cells.ts'

/** Start MRR and churn of one group, currency and period. */
export interface RevenueRow {
  readonly values: readonly DimensionValue[]
  readonly period: number
  readonly start: number
  readonly lost: number
  readonly events: number
}

/** Start MRR and churn movements by group and period: of the start cohort (D43, D44), or of all customers. Empty without periods. */
export async function readRevenue(
  context: MetricContext,
  periods: readonly Period[],
  dimensions: readonly Field[],
  all_customers: boolean,
): Promise<readonly RevenueRow[]> {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return []
  const scope = startScope(context, dimensions, isEventField)
  const rows = await context.run({
    template: 'churn/revenue',
    slots: scope.slots,
    params: { unit: context.request.unit, all_customers },
    window: windowOf(scope, { from: first.from, to: last.to }),
    inline: [periodRelation(periods)],
  })
  await settleRowGaps(context, rows, { from: first.from, to: last.to })
  return mapInSlices(rows, (row) => revenueRow(row, dimensions))
}

function revenueRow(row: Row, dimensions: readonly Field[]): RevenueRow {
  const isMatched = integerCell(row, 'event_matched') === 1
  return {
    values: dimensions.map((field) => dimensionValue(row, field)),
    period: integerCell(row, 'period_index'),
    start: integerCell(row, 'start_sum'),
    lost: isMatched ? 0 - integerCell(row, 'churn_sum') : 0,
    events: isMatched ? integerCell(row, 'churn_rows') : 0,
  }
}

/** MRR lost by churn as a share of the MRR of the start cohort; not capped (D44). */
export async function readRevenueChurn(context: MetricContext) {
  const periods = ratioPeriods(rangeTime(context.request))
  const cells = await readRevenue(context, periods, context.request.dimensions, false)
  return mapInSlices(await gatherChurn(context, cells, periods.length), (group) => ({
    values: group.values,
    measures: group.periods.map(({ lost, start }) => ({
      revenue_churn_rate: ratio(lost, start),
      revenue_lost: lost,
      start_mrr: start,
    })),
  }))
}
