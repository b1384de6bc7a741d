import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { matchesText } from '../../query/condition-match.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { completeGroups } from '../readings/groups.ts'
import { checkSize, type KeyedRow } from '../readings/reading.ts'
import { tallyGroups } from '../readings/tally.ts'
import { readMovements } from './movements.ts'

/** Net movements of a series sliced by movement type, in cents: only movements have one (http-api.md 3.2). */
export async function readMovementSeries(
  context: MetricContext,
  time: RangeTime,
): Promise<readonly KeyedRow<{ readonly period: string }, { readonly amount_base: number }>[]> {
  const { dimensions, conditions } = context.request
  const onType = conditions.filter((condition) => condition.field.key === 'movement_type')
  const position = dimensions.findIndex((field) => field.key === 'movement_type')
  const nothing = () => ({ amount_base: 0 })
  const tally = tallyGroups(time.periods.length, nothing, context)
  for await (const { values, type, period, amount } of inSlices(await readMovements(context, time))) {
    if (!onType.every((condition) => matchesText(condition, type))) continue
    const net = tally.of(position < 0 ? values : values.toSpliced(position, 0, type), period)
    if (net !== undefined) net.amount_base += amount
  }
  const groups = completeGroups(
    context,
    tally.groups(),
    ({ periods }) => periods.some(({ amount_base }) => amount_base !== 0),
    (values) => ({ values, periods: time.periods.map(nothing) }),
  )
  checkSize(context, groups.length * time.periods.length)
  return flatMapInSlices(groups, ({ values, periods }) =>
    time.periods.map(({ period }, index) => ({
      order: [period],
      keys: { period },
      values,
      measures: periods[index] ?? nothing(),
    })),
  )
}
