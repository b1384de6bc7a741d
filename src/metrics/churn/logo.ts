import { ratio } from '../../core/money.ts'
import type { Period } from '../../core/periods.ts'
import { mapInSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext } from '../readings/context.ts'
import { windowOf } from '../readings/facts.ts'
import { liveOnly } from '../readings/live-only.ts'
import { periodRelation, ratioPeriods } from '../readings/periods.ts'
import { startScope } from '../readings/start-scope.ts'
import { type ChurnGroup, gatherChurn, isEventField } from './cells.ts'

/** Logo churn per period and group: customers live just before, and how many of them churned inside (D41). */
export async function readLogo(context: MetricContext, periods: readonly Period[]): Promise<readonly ChurnGroup[]> {
  const { dimensions } = context.request
  const cells = await mapInSlices(await readMembers(context, periods, dimensions), ({ row, values }) => {
    const lost = integerCell(row, 'event_matched') === 1 ? integerCell(row, 'churn_count') : 0
    return {
      values,
      period: integerCell(row, 'period_index'),
      lost,
      events: lost,
      start: integerCell(row, 'active_count'),
    }
  })
  return gatherChurn(context, cells, periods.length)
}

/** Rows of the template by group. Empty without periods. */
export async function readMembers(
  context: MetricContext,
  periods: readonly Period[],
  dimensions: readonly Field[],
): Promise<readonly { readonly row: Row; readonly values: readonly DimensionValue[] }[]> {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return []
  const scope = startScope(context, dimensions, isEventField)
  const rows = await context.run({
    template: 'churn/logo',
    slots: scope.slots,
    params: liveOnly(context.request),
    window: windowOf(scope, { from: first.from, to: last.to }),
    inline: [periodRelation(periods)],
  })
  return mapInSlices(rows, (row) => ({
    row,
    values: dimensions.map((field) => dimensionValue(row, field)),
  }))
}

/** Share of the customers live just before each period that churned inside it. */
export async function readLogoChurn(context: MetricContext) {
  const groups = await readLogo(context, ratioPeriods(rangeTime(context.request)))
  return mapInSlices(groups, ({ values, periods }) => ({
    values,
    measures: periods.map(({ lost, start }) => ({
      logo_churn_rate: ratio(lost, start),
      churn_count: lost,
      active_at_start: start,
    })),
  }))
}

/** First churn of a row's customers that the event filters let through. */
export function matchedChurn(row: Row): string | null {
  return integerCell(row, 'event_matched') === 1 ? textCell(row, 'first_left_at') : null
}
